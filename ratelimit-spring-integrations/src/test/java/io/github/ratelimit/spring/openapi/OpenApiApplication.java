package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.decision.Decision;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.responses.ApiResponse;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** A Spring MVC application whose document springdoc writes. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ OpenApiApplication.Quotes.class, OpenApiApplication.Orders.class, OpenApiApplication.Batches.class })
class OpenApiApplication {

	private static final Map<List<String>, OpenApiDocument> KNOWN = new ConcurrentHashMap<>();

	static WebApplicationContextRunner runner() {
		return new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
			.withUserConfiguration(OpenApiApplication.class)
			.withPropertyValues("server.port=0", "server.address=127.0.0.1", "ratelimit.store=memory",
					"ratelimit.policies.quotes.limits=100/1m, 1000/1d", "ratelimit.policies.writes.limits=10/1m",
					"ratelimit.policies.writes.on-store-failure=deny", "ratelimit.policies.secret.limits=5/1m",
					"ratelimit.policies.secret.headers=hidden", "ratelimit.policies.secret.on-missing-key=deny");
	}

	/** Reads the document, once for all tests with the same properties. */
	static void read(Consumer<OpenApiDocument> assertions, String... properties) {
		assertions.accept(KNOWN.computeIfAbsent(List.of(properties), (unknown) -> {
			AtomicReference<OpenApiDocument> document = new AtomicReference<>();
			read(runner(), "/v3/api-docs", document::set, properties);
			return document.get();
		}));
	}

	static void read(WebApplicationContextRunner application, String uri, Consumer<OpenApiDocument> assertions,
			String... properties) {
		application.withPropertyValues(properties)
			.run((context) -> assertions.accept(new OpenApiDocument(JsonPath.parse(document(context, uri)))));
	}

	private static String document(AssertableWebApplicationContext context, String uri) {
		WebServer server = context.getSourceApplicationContext(AnnotationConfigServletWebServerApplicationContext.class)
			.getWebServer();
		return String.valueOf(RestClient.create("http://127.0.0.1:" + Objects.requireNonNull(server).getPort())
			.get()
			.uri(uri)
			.retrieve()
			.body(String.class));
	}

	@RestController
	@RequestMapping("/quotes")
	static class Quotes {

		@GetMapping
		@RateLimited("quotes")
		public List<String> all(Decision decision) {
			return List.of();
		}

		@PostMapping
		@RateLimited(limit = "5/1m", key = "client-ip")
		public String create() {
			return "";
		}

		@GetMapping("/{id}")
		public String one(@PathVariable String id) {
			return id;
		}

	}

	@RestController
	@RequestMapping("/batches")
	static class Batches {

		@PostMapping
		@RateLimited(policy = "quotes", cost = "#size")
		public String create(@RequestParam int size) {
			return "";
		}

		@GetMapping
		@RateLimited("secret")
		public String all() {
			return "";
		}

	}

	@RestController
	@RateLimited("writes")
	static class Orders {

		@RequestMapping(path = "/orders", method = RequestMethod.HEAD)
		public void head() {
		}

		@DeleteMapping("/orders/{id}")
		public void delete(@PathVariable String id) {
		}

		@GetMapping("/orders")
		@ApiResponse(responseCode = "429", description = "Slow down",
				headers = @Header(name = "retry-after", description = "Own"))
		@ApiResponse(responseCode = "503", description = "Closed")
		@Operation(extensions = @Extension(name = "x-ratelimit",
				properties = @ExtensionProperty(name = "own", value = "yes")))
		public String all() {
			return "";
		}

	}

}
