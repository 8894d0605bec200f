package io.github.ratelimit.spring.web;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A WebFlux filter before the limiter's that subscribes to its chain again after its
 * handler has failed. While a request is served again, the handler sends another of the
 * same client.
 */
@Tag("long")
class RetryingFilterIT {

	@Test
	void chargesAndHoldsForEachTry() {
		try (ConfigurableApplicationContext application = application("ratelimit.policies.each.limits[0]=9/1h",
				"ratelimit.policies.each.limits[1]=1 concurrent", "ratelimit.policies.each.key=header:X-Client",
				"ratelimit.rules[0].paths=/before", "ratelimit.rules[0].policies=each",
				"ratelimit.rules[0].phase=before-security", "ratelimit.rules[0].refund-when=#response.status != 200",
				"ratelimit.rules[1].paths=/after", "ratelimit.rules[1].policies=each")) {
			assertThatItIsHeldWhileServedAgain(application, "/before", 7);
			assertThatItIsHeldWhileServedAgain(application, "/after", 7);
		}
	}

	@Test
	void readsTheFormForEachTry() {
		try (ConfigurableApplicationContext application = application("ratelimit.policies.posts.limits=2/1h",
				"ratelimit.policies.posts.key=form:client", "ratelimit.rules[0].paths=/form",
				"ratelimit.rules[0].policies=posts")) {
			RealClient client = new RealClient(port(application));
			Map<String, String> form = Map.of("Content-Type", "application/x-www-form-urlencoded");
			Response retried = client.send("POST", "/form", form, "client=ada");
			assertThat(retried.body()).isEqualTo("ada");
			assertThat(retried.headers().getFirst("RateLimit")).contains(";r=0;");
		}
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return new SpringApplicationBuilder(Retrying.class).web(WebApplicationType.REACTIVE)
			.properties("spring.config.name=none", "server.port=0", "ratelimit.store=memory")
			.properties(properties)
			.run();
	}

	private static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private static void assertThatItIsHeldWhileServedAgain(ConfigurableApplicationContext application, String path,
			int left) {
		int port = port(application);
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
		RetryingWebFilter retryingWebFilter() {
			return new RetryingWebFilter();
		}

	}

	static final class RetryingWebFilter implements WebFilter, Ordered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
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

		@PostMapping("/form")
		Mono<String> post(ServerWebExchange exchange) {
			return this.tried.add("/form") ? Mono.error(new IllegalStateException("First try"))
					: exchange.getFormData().mapNotNull((form) -> form.getFirst("client"));
		}

		private static int statusOfAnother(String path, String host) {
			int port = Integer.parseInt(host.substring(host.indexOf(':') + 1));
			Map<String, String> headers = Map.of("X-Client", path, "X-Other", "yes");
			return new RealClient(port).send("GET", path, headers, "").status();
		}

	}

}
