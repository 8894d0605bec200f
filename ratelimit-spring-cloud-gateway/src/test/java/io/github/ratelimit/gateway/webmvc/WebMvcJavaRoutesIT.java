package io.github.ratelimit.gateway.webmvc;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.gateway.Gateways;
import io.github.ratelimit.gateway.Reply;
import io.github.ratelimit.gateway.Upstream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static io.github.ratelimit.gateway.webmvc.RateLimitFilterFunctions.rateLimit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Routes in Java of a gateway on Spring MVC.
 */
@ExtendWith(OutputCaptureExtension.class)
class WebMvcJavaRoutesIT {

	private ConfigurableApplicationContext gateway;

	@BeforeEach
	void start() {
		this.gateway = Gateways.webMvc(Routes.class, "ratelimit.policies.search.limits=2/1h",
				"ratelimit.policies.search.key=global", "ratelimit.policies.export.limits=5/1h",
				"ratelimit.policies.export.key=global", "ratelimit.policies.rule.limits=5/1h",
				"ratelimit.policies.rule.key=global", "ratelimit.rules[0].paths=/search,/export",
				"ratelimit.rules[0].policies=rule");
	}

	@AfterEach
	void stop() {
		this.gateway.close();
	}

	@Test
	void decidesAFilterAtItsPlaceAfterTheRules() {
		assertThat(get("/search").header("RateLimit")).isEqualTo("\"rule\";r=4;t=720, \"search\";r=1;t=1800");
		assertThat(statuses("/search")).containsExactly(200, 429, 429);
		assertThat(get("/export").status()).isEqualTo(429);
	}

	@Test
	void decidesTheFiltersOfARouterWithTheRulesAsOne() {
		assertThat(get("/export").header("RateLimit"))
			.isEqualTo("\"rule\";r=4;t=720, \"search\";r=1;t=1800, \"export\";r=0;t=3600");
		assertThat(statuses("/export")).containsOnly(429);
		assertThat(get("/search").header("RateLimit")).startsWith("\"rule\";r=3;").endsWith("\"search\";r=0;t=3600");
	}

	@Test
	void failsRequestsOfAnUnknownPolicyWithAMessageInTheLog(CapturedOutput log) {
		assertThat(get("/wrong").status()).isEqualTo(500);
		assertThat(log.getAll()).contains("there is no policy named 'saerch'; there are [export, rule, search]");
	}

	private Reply get(String path) {
		return Reply.get(Gateways.port(this.gateway), path, Map.of());
	}

	private List<Integer> statuses(String path) {
		return Stream.generate(() -> get(path).status()).limit(3).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Routes {

		private final String upstream = Upstream.shared().address();

		@Bean
		RouterFunction<ServerResponse> searchRoute() {
			return route("search").GET("/search", http())
				.before(uri(this.upstream))
				.filter(rateLimit("search"))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> exportRoute() {
			return route("export").GET("/export", http())
				.before(uri(this.upstream))
				.build()
				.filter(rateLimit(5, "export"))
				.filter(rateLimit("search"));
		}

		@Bean
		RouterFunction<ServerResponse> wrongRoute() {
			return route("wrong").GET("/wrong", http()).before(uri(this.upstream)).filter(rateLimit("saerch")).build();
		}

	}

}
