package io.github.ratelimit.gateway;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class DisabledLimitsTests {

	@Test
	void letEveryRequestPassTheFiltersOnWebFlux() {
		String drop = "spring.cloud.gateway.server.webflux.routes[0].filters[1].";
		try (ConfigurableApplicationContext gateway = Gateways.webFlux(Keys.class,
				properties("webflux", drop + "name=RequestRateLimiter", drop + "args.ratelimit.policy=api"))) {
			assertThat(Stream.generate(() -> Reply.get(Gateways.port(gateway), "/r", Map.of()).status()).limit(3))
				.containsOnly(200);
		}
	}

	@Test
	void letEveryRequestPassTheFiltersOnWebMvc() {
		try (ConfigurableApplicationContext gateway = Gateways.webMvc(Plain.class, properties("webmvc"))) {
			assertThat(Stream.generate(() -> Reply.get(Gateways.port(gateway), "/r", Map.of()).status()).limit(3))
				.containsOnly(200);
		}
	}

	private static String[] properties(String flavour, String... more) {
		String route = "spring.cloud.gateway.server." + flavour + ".routes[0].";
		return Stream
			.concat(Stream.of("ratelimit.enabled=false", "ratelimit.policies.api.limits=1/1h",
					"ratelimit.policies.api.key=global", route + "id=r", route + "uri=" + Upstream.shared().address(),
					route + "predicates[0]=Path=/r", route + "filters[0]=RateLimit=api"), Stream.of(more))
			.toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Plain {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Keys {

		@Bean
		KeyResolver everyone() {
			return (exchange) -> Mono.just("everyone");
		}

	}

}
