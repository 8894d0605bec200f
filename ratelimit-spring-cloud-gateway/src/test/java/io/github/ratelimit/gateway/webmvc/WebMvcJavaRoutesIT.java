package io.github.ratelimit.gateway.webmvc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.gateway.Gateways;
import io.github.ratelimit.gateway.Reply;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.gateway.Upstream;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.stripPrefix;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Routes in Java of a gateway on Spring MVC.
 */
@Tag("long")
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
	void namesThePathThatTheClientSentIfAFilterRewroteIt() {
		get("/api/stripped");
		get("/api/stripped");
		assertThat(get("/api/stripped").body()).contains("\"instance\":\"/api/stripped\"");
	}

	@Test
	void countsEachRouteByItsIdOrByItsPatternOutsideItsFilters() {
		try (ConfigurableApplicationContext routed = Gateways.webMvc(Routes.class,
				"ratelimit.policies.search.limits=2/1h", "ratelimit.policies.search.key=route",
				"ratelimit.policies.export.limits=5/1h")) {
			for (String path : List.of("/search", "/api/stripped", "/export")) {
				assertThat(Reply.get(Gateways.port(routed), path, Map.of()).status()).isEqualTo(200);
			}
			assertThat(List.of("route:search", "route:stripped", "route:/export"))
				.allSatisfy((key) -> assertThat(routed.getBean(RateLimiter.class)
					.peek(List.of(Charge.of("search", key)))
					.limits()
					.get(0)
					.remaining()).isEqualTo(1));
		}
	}

	@Test
	void stopsTheStartUpByAnUnknownPolicy() {
		assertThatThrownBy(() -> Gateways.webMvc(WrongRoute.class, "ratelimit.policies.search.limits=2/1h").close())
			.rootCause()
			.hasMessage("there is no policy named 'saerch'; there are [search]");
		assertThatThrownBy(() -> Gateways.webMvc(WrongRoute.class, "ratelimit.policies.search.limits=2/1h").close())
			.hasStackTraceContaining(
					"InvalidRateLimitConfigurationException: The filter 'RateLimit' of a route charges "
							+ "[saerch] with the cost 1, but there is no policy named 'saerch'");
	}

	@Test
	void createsAFilterThatLimitsNothingWhereTurnedOff() {
		try (ConfigurableApplicationContext off = Gateways.webMvc(WrongRoute.class, "ratelimit.enabled=false")) {
			assertThat(Reply.get(Gateways.port(off), "/wrong", Map.of()).status()).isEqualTo(200);
		}
	}

	@Test
	void knowsThePoliciesOfItsRoutes() {
		assertThat(this.gateway.getBean(RoutePolicies.class).byPolicy())
			.isEqualTo(Map.of("search", Set.of("a route in Java"), "export", Set.of("a route in Java")));
		assertThat(this.gateway.getBean(Findings.class).all()).isEmpty();
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
		RouterFunction<ServerResponse> searchRoute(RateLimitFilterFunctionFactory rateLimit) {
			return route("search").GET("/search", http())
				.before(uri(this.upstream))
				.filter(rateLimit.of("search"))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> strippedRoute(RateLimitFilterFunctionFactory rateLimit) {
			return route("stripped").GET("/api/stripped", http())
				.before(uri(this.upstream))
				.before(stripPrefix(1))
				.filter(rateLimit.of("search"))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> exportRoute(RateLimitFilterFunctionFactory rateLimit) {
			return route("export").GET("/export", http())
				.before(uri(this.upstream))
				.build()
				.filter(rateLimit.of(5, "export"))
				.filter(rateLimit.of("search"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WrongRoute {

		@Bean
		RouterFunction<ServerResponse> wrongRoute(RateLimitFilterFunctionFactory rateLimit) {
			return route("wrong").GET("/wrong", http())
				.before(uri(Upstream.shared().address()))
				.filter(rateLimit.of("saerch"))
				.build();
		}

	}

}
