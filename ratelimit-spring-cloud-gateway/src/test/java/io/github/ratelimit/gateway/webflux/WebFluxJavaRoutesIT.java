package io.github.ratelimit.gateway.webflux;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.gateway.Gateways;
import io.github.ratelimit.gateway.Reply;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.gateway.Upstream;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionWriter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Routes in Java and routes that are added while a gateway on WebFlux runs.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class WebFluxJavaRoutesIT {

	private static final String[] PROPERTIES = { "ratelimit.policies.search.limits=2/1h",
			"ratelimit.policies.search.key=global", "ratelimit.policies.export.limits=5/1h",
			"ratelimit.policies.export.key=global" };

	@Test
	void limitsRoutesInJava() {
		try (ConfigurableApplicationContext gateway = Gateways.webFlux(Routes.class, PROPERTIES)) {
			Reply export = Reply.get(Gateways.port(gateway), "/export", Map.of());
			assertThat(export.header("RateLimit")).isEqualTo("\"export\";r=0;t=3600, \"search\";r=1;t=1800");
			assertThat(statuses(gateway, "/search")).containsExactly(200, 429, 429);
			assertThat(gateway.getBean(RoutePolicies.class).byPolicy()).containsOnlyKeys("export", "search");
			assertThat(gateway.getBean(Findings.class).all()).isEmpty();
		}
	}

	@Test
	void limitsRoutesThatAreAdded(CapturedOutput log) {
		try (ConfigurableApplicationContext gateway = Gateways.webFlux(Routes.class, PROPERTIES)) {
			add(gateway, "/added", "RateLimit=search");
			assertThat(statuses(gateway, "/added")).containsExactly(200, 200, 429);
			add(gateway, "/wrong", "RateLimit=saerch");
			assertThat(log.getAll()).contains("The filter 'RateLimit' of a route charges [saerch] with the cost 1, "
					+ "but there is no policy named 'saerch'; there are [export, search]");
			assertThat(statuses(gateway, "/added")).containsExactly(429, 429, 429);
		}
	}

	private static void add(ConfigurableApplicationContext gateway, String path, String filter) {
		RouteDefinition route = new RouteDefinition();
		route.setId(path);
		route.setUri(URI.create(Upstream.shared().address()));
		route.setPredicates(List.of(new PredicateDefinition("Path=" + path)));
		route.setFilters(List.of(new FilterDefinition(filter)));
		gateway.getBean(RouteDefinitionWriter.class).save(Mono.just(route)).block();
		gateway.publishEvent(new RefreshRoutesEvent(gateway));
	}

	private static List<Integer> statuses(ConfigurableApplicationContext gateway, String path) {
		return Stream.generate(() -> Reply.get(Gateways.port(gateway), path, Map.of()).status()).limit(3).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Routes {

		@Bean
		RouteLocator searchRoutes(RouteLocatorBuilder routes, RateLimitGatewayFilterFactory rateLimit) {
			String upstream = Upstream.shared().address();
			return routes.routes()
				.route("search",
						(route) -> route.path("/search")
							.filters((filters) -> filters.filter(rateLimit.of("search")))
							.uri(upstream))
				.route("export", (route) -> route.path("/export")
					.filters((filters) -> filters.filter(rateLimit.of(5, "export")).filter(rateLimit.of("search")))
					.uri(upstream))
				.build();
		}

	}

}
