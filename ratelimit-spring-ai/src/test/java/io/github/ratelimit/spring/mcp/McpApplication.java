package io.github.ratelimit.spring.mcp;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimited;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import reactor.core.publisher.Mono;

import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

/** A server of tools, and clients that call them over HTTP. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class McpApplication {

	private static final String MVC = "org.springframework.ai.mcp.server.webmvc.autoconfigure.McpServer%sWebMvcAutoConfiguration";

	private static final String FLUX = "org.springframework.ai.mcp.server.webflux.autoconfigure.McpServer%sWebFluxAutoConfiguration";

	/** Starts a server, runs a test with it, and stops it. */
	static void run(Kind kind, Consumer<ApplicationContext> test, String... properties) {
		AbstractApplicationContextRunner<?, ?, ?> runner = kind.isServlet()
				? new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
				: new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new);
		runner.withUserConfiguration(McpApplication.class, kind.tools)
			.withPropertyValues("server.port=0", "server.address=127.0.0.1", "spring.ai.mcp.server.enabled=true",
					"spring.ai.mcp.server.protocol=" + kind.protocol, "spring.ai.mcp.server.type=" + kind.type,
					"spring.autoconfigure.exclude=" + others(kind.isServlet() ? FLUX : MVC), "ratelimit.store=memory",
					"ratelimit.policies.calls.limits=2/1h", "ratelimit.policies.calls.key=#tool",
					"ratelimit.policies.forecasts.limits=1/1h", "ratelimit.mcp.policies=calls")
			.withPropertyValues(properties)
			.run((context) -> {
				assertThat(context.getStartupFailure()).isNull();
				test.accept(((ApplicationContextAssertProvider<?>) context).getSourceApplicationContext());
			});
	}

	private static String others(String pattern) {
		return String.join(",",
				List.of("Sse", "Stateless", "StreamableHttp").stream().map(pattern::formatted).toList());
	}

	/** Returns a client in a session of its own, whose requests have a header. */
	static McpSyncClient client(ApplicationContext context, String name) {
		int port = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
		McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + port)
				.openConnectionOnStartup(false)
				.requestBuilder(HttpRequest.newBuilder().header("X-Client", name))
				.build())
			.requestTimeout(Duration.ofSeconds(20))
			.build();
		client.initialize();
		return client;
	}

	static CallToolResult call(McpSyncClient client, String tool) {
		return client.callTool(CallToolRequest.builder(tool).arguments(Map.of()).build());
	}

	static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	static void assertAnswered(CallToolResult result, String text) {
		assertThat(result.isError()).isNotEqualTo(true);
		assertThat(text(result)).contains(text);
	}

	static void assertDenied(CallToolResult result, String policy) {
		assertThat(result.isError()).isTrue();
		assertThat(text(result)).matches("Quota exceeded\\. Try again in \\d+ seconds\\.");
		assertThat(result.structuredContent()).asInstanceOf(map(String.class, Object.class))
			.containsOnlyKeys("title", "retryAfter", "violatedPolicies")
			.containsEntry("title", "Quota exceeded")
			.containsEntry("violatedPolicies", List.of(policy))
			.hasEntrySatisfying("retryAfter",
					(seconds) -> assertThat(((Number) seconds).longValue()).isBetween(1L, 3600L));
	}

	/** A tool that is a callback, as those of {@code @Tool} methods are. */
	@Bean
	ToolCallback clock() {
		return FunctionToolCallback.builder("clock", () -> "noon")
			.description("Tells the time")
			.inputType(Void.class)
			.build();
	}

	/** A kind of server. */
	enum Kind {

		MVC_SYNC("STREAMABLE", "SYNC", Tools.class), MVC_ASYNC("STREAMABLE", "ASYNC", AsyncTools.class),
		MVC_STATELESS_SYNC("STATELESS", "SYNC", Tools.class),
		MVC_STATELESS_ASYNC("STATELESS", "ASYNC", AsyncTools.class), FLUX_SYNC("STREAMABLE", "SYNC", Tools.class),
		FLUX_ASYNC("STREAMABLE", "ASYNC", AsyncTools.class),
		FLUX_STATELESS_ASYNC("STATELESS", "ASYNC", AsyncTools.class);

		private final String protocol;

		private final String type;

		private final Class<?> tools;

		Kind(String protocol, String type, Class<?> tools) {
			this.protocol = protocol;
			this.type = type;
			this.tools = tools;
		}

		private boolean isServlet() {
			return name().startsWith("MVC");
		}

		boolean hasSessions() {
			return this.protocol.equals("STREAMABLE");
		}

		/** Returns whether tools find the request of their call. */
		boolean hasRequests() {
			return this != FLUX_SYNC;
		}

	}

	/** The tools of a synchronous server. */
	static class Tools {

		@McpTool(description = "Tells the weather")
		String weather() {
			return "sunny";
		}

		@McpTool(description = "Tells the weather of tomorrow")
		@RateLimited("forecasts")
		String forecast() {
			return "rain";
		}

		@McpTool(description = "Counts the calls of a session")
		@RateLimited(limit = "1/1h", key = "session")
		String visit() {
			return "welcome";
		}

		@McpTool(description = "Counts the calls of a client")
		@RateLimited(limit = "1/1h", key = "header:x-client")
		String greet() {
			return "hello";
		}

		@McpTool(description = "Fails")
		@RateLimited(limit = "5/1h", key = "global")
		String fail() {
			throw new IllegalStateException("out of order");
		}

	}

	/** The same tools of an asynchronous server. */
	static class AsyncTools {

		@McpTool(description = "Tells the weather")
		Mono<String> weather() {
			return Mono.just("sunny");
		}

		@McpTool(description = "Tells the weather of tomorrow")
		@RateLimited("forecasts")
		Mono<String> forecast() {
			return Mono.just("rain");
		}

		@McpTool(description = "Counts the calls of a session")
		@RateLimited(limit = "1/1h", key = "session")
		Mono<String> visit() {
			return Mono.just("welcome");
		}

		@McpTool(description = "Counts the calls of a client")
		@RateLimited(limit = "1/1h", key = "header:x-client")
		Mono<String> greet() {
			return Mono.just("hello");
		}

		@McpTool(description = "Fails")
		@RateLimited(limit = "5/1h", key = "global")
		Mono<String> fail() {
			return Mono.error(new IllegalStateException("out of order"));
		}

	}

}
