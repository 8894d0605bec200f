package io.github.ratelimit.spring.web;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * WebFlux filters that subscribe to their chain again after its handler has failed. While
 * a request is served again, the handler sends another of the same client.
 */
@Tag("long")
class RetryingFilterIT {

	private static final int FIRST = Ordered.HIGHEST_PRECEDENCE;

	private static final int BETWEEN = -95;

	@ParameterizedTest
	@CsvSource({ FIRST + ", 7", BETWEEN + ", 8" })
	void holdThePermitWhileARequestIsServedAgain(int order, int left) {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Retrying.class)
			.web(WebApplicationType.REACTIVE)
			.properties("spring.config.name=none", "server.port=0", "ratelimit.store=memory", "test.order=" + order,
					"ratelimit.policies.each.limits[0]=9/1h", "ratelimit.policies.each.limits[1]=1 concurrent",
					"ratelimit.policies.each.key=header:X-Client", "ratelimit.rules[0].paths=/before",
					"ratelimit.rules[0].policies=each", "ratelimit.rules[0].phase=before-security",
					"ratelimit.rules[1].paths=/after", "ratelimit.rules[1].policies=each")
			.run()) {
			assertThatItIsHeldWhileServedAgain(application, "/before", left);
			assertThatItIsHeldWhileServedAgain(application, "/after", left);
		}
	}

	private static void assertThatItIsHeldWhileServedAgain(ConfigurableApplicationContext application, String path,
			int left) {
		int port = ((WebServerApplicationContext) application).getWebServer().getPort();
		Response retried = new RealClient(port).send("GET", path, Map.of("X-Client", path), "");
		assertThat(retried.body()).isEqualTo("The other got 429");
		assertThat(retried.headers().getFirst("RateLimit")).contains(";r=" + left + ";");
		Map<String, String> other = Map.of("X-Client", path, "X-Other", "yes");
		assertThat(new RealClient(port).send("GET", path, other, "").status()).as("Permit released").isEqualTo(200);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Retrying {

		@Bean
		RetryingWebFilter retryingWebFilter(@Value("${test.order}") int order) {
			return new RetryingWebFilter(order);
		}

	}

	private record RetryingWebFilter(int order) implements WebFilter, Ordered {

		@Override
		public int getOrder() {
			return this.order;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			return chain.filter(exchange).retry(1);
		}

	}

	@RestController
	static class Controller {

		private final Set<String> tried = ConcurrentHashMap.newKeySet();

		@GetMapping({ "/before", "/after" })
		Mono<String> serve(@RequestHeader("X-Client") String path, @RequestHeader("Host") String host,
				@RequestHeader(name = "X-Other", required = false) String other) {
			if (this.tried.add(path)) {
				return Mono.error(new IllegalStateException("First try"));
			}
			return (other != null) ? Mono.just("The other")
					: Mono.fromCallable(() -> "The other got " + statusOfAnother(path, host))
						.subscribeOn(Schedulers.boundedElastic());
		}

		private static int statusOfAnother(String path, String host) {
			int port = Integer.parseInt(host.substring(host.indexOf(':') + 1));
			Map<String, String> headers = Map.of("X-Client", path, "X-Other", "yes");
			return new RealClient(port).send("GET", path, headers, "").status();
		}

	}

}
