package io.github.ratelimit.doors;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@Tag("long")
class TomcatOngoingResponsesIT extends OngoingResponsesContract {

	TomcatOngoingResponsesIT() {
		super(WebApplicationType.SERVLET, Server.class);
	}

	@Override
	Stream<String> paths() {
		return Stream.of("/function/sse", "/function/async", "/function/stream", "/service/entity", "/service/object",
				"/handler");
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ End.class, Functions.class, Service.class, Controller.class, Handler.class })
	static class Server {

		@Bean
		RouterFunction<ServerResponse> routes(Functions functions) {
			return RouterFunctions.route()
				.GET("/function/sse", functions::sse)
				.GET("/function/async", functions::async)
				.GET("/function/stream", functions::stream)
				.build();
		}

	}

	static class Functions {

		private final End end;

		Functions(End end) {
			this.end = end;
		}

		@RateLimited("busy")
		public ServerResponse sse(ServerRequest request) {
			return ServerResponse.sse((events) -> {
				CompletableFuture<?> unused = this.end.current().thenRun(events::complete);
			});
		}

		@RateLimited("busy")
		public ServerResponse async(ServerRequest request) {
			return ServerResponse.async(this.end.current().thenApply((text) -> ServerResponse.ok().body(text)));
		}

		@RateLimited("busy")
		public ServerResponse stream(ServerRequest request) {
			return ServerResponse.ok().build((served, response) -> {
				this.end.current().join();
				return null;
			});
		}

	}

	static class Service {

		private final End end;

		Service(End end) {
			this.end = end;
		}

		@RateLimited("busy")
		public ResponseEntity<StreamingResponseBody> entity() {
			return ResponseEntity.ok(this::write);
		}

		private void write(OutputStream body) throws IOException {
			body.write(this.end.current().join().getBytes(StandardCharsets.US_ASCII));
		}

		@RateLimited("busy")
		public Object object() {
			SseEmitter events = new SseEmitter();
			CompletableFuture<?> unused = this.end.current().thenRun(events::complete);
			return events;
		}

	}

	@RestController
	static class Controller {

		private final Service service;

		Controller(Service service) {
			this.service = service;
		}

		@GetMapping("/service/entity")
		ResponseEntity<StreamingResponseBody> entity() {
			return this.service.entity();
		}

		@GetMapping("/service/object")
		Object object() {
			return this.service.object();
		}

	}

	@Component("/handler")
	static class Handler implements HttpRequestHandler {

		private final End end;

		Handler(End end) {
			this.end = end;
		}

		@Override
		@RateLimited("busy")
		public void handleRequest(HttpServletRequest request, HttpServletResponse response) {
			AsyncContext async = request.startAsync();
			CompletableFuture<?> unused = this.end.current().thenRun(async::complete);
		}

	}

}
