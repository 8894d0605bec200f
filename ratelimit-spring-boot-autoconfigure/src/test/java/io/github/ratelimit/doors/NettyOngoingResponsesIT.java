package io.github.ratelimit.doors;

import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

class NettyOngoingResponsesIT extends OngoingResponsesContract {

	NettyOngoingResponsesIT() {
		super(WebApplicationType.REACTIVE, Server.class);
	}

	@Override
	Stream<String> paths() {
		return Stream.of("/function/flux", "/function/mono", "/service/entity");
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ End.class, Functions.class, Service.class, Controller.class })
	static class Server {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		RouterFunction<ServerResponse> routes(Functions functions) {
			return RouterFunctions.route()
				.GET("/function/flux", functions::flux)
				.GET("/function/mono", functions::mono)
				.build();
		}

	}

	static class Functions {

		private final End end;

		Functions(End end) {
			this.end = end;
		}

		@RateLimited("busy")
		public Mono<ServerResponse> flux(ServerRequest request) {
			Flux<String> events = Flux.just("begin").concatWith(Mono.fromFuture(this.end.current(), true));
			return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(events, String.class);
		}

		@RateLimited("busy")
		public Mono<ServerResponse> mono(ServerRequest request) {
			return ServerResponse.ok().body(Mono.fromFuture(this.end.current(), true), String.class);
		}

	}

	static class Service {

		private final End end;

		Service(End end) {
			this.end = end;
		}

		@RateLimited("busy")
		public Mono<ResponseEntity<Flux<String>>> entity() {
			return Mono.just(ResponseEntity.ok(Mono.fromFuture(this.end.current(), true).flux()));
		}

	}

	@RestController
	static class Controller {

		private final Service service;

		Controller(Service service) {
			this.service = service;
		}

		@GetMapping("/service/entity")
		Mono<ResponseEntity<Flux<String>>> entity() {
			return this.service.entity();
		}

	}

}
