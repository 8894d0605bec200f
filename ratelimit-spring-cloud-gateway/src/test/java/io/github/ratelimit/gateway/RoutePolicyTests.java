package io.github.ratelimit.gateway;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.gateway.GatewayContract.Application;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The policies that only routes in properties use.
 */
@Tag("long")
class RoutePolicyTests {

	private static final String GATEWAY = "spring.cloud.gateway.server.";

	@ParameterizedTest
	@ValueSource(strings = { "webflux", "webmvc" })
	void areInUse(String flavour) {
		String route = GATEWAY + flavour + ".routes[0].";
		try (ConfigurableApplicationContext gateway = start(flavour, route + "filters[0]=RateLimit=api")) {
			assertThat(gateway.getBean(Findings.class).all())
				.filteredOn((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
				.extracting(Finding::subject)
				.containsExactly("idle");
			assertThat(uses(gateway)).isEqualTo(Map.of("api", Set.of(route + "filters[0]")));
		}
	}

	@Test
	void includeThoseOfRequestRateLimiters() {
		String filter = GATEWAY + "webflux.routes[0].filters[0]";
		try (ConfigurableApplicationContext gateway = start("webflux", filter + ".name=RequestRateLimiter",
				filter + ".args.ratelimit.policy=api", filter + ".args.more=none")) {
			assertThat(gateway.getBean(Findings.class).all()).extracting(Finding::subject).contains("idle");
			assertThat(uses(gateway)).containsOnlyKeys("api");
		}
	}

	private static Map<String, Object> uses(ConfigurableApplicationContext gateway) {
		Map<String, Object> uses = new HashMap<>();
		gateway.getBeanProvider(PolicyUse.class).forEach((use) -> uses.putAll(use.byPolicy()));
		return uses;
	}

	private static ConfigurableApplicationContext start(String flavour, String... filter) {
		String route = GATEWAY + flavour + ".routes[0].";
		String[] properties = Stream
			.concat(Stream.of("ratelimit.policies.api.limits=2/1h", "ratelimit.policies.idle.limits=2/1h",
					route + "id=s", route + "uri=http://localhost", route + "predicates[0]=Path=/r"), Stream.of(filter))
			.toArray(String[]::new);
		return flavour.equals("webflux") ? Gateways.webFlux(Application.class, properties)
				: Gateways.webMvc(Application.class, properties);
	}

}
