package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits in shadow for all callers, and for those outside the enforced share, on every
 * kind of server and store.
 */
@Tag("long")
class ShadowIT {

	private static final EnforcedShare HALF = new EnforcedShare(50);

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void rejectsNoCallerInTheModeShadow(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store, "ratelimit.mode=shadow")) {
			String caller = UUID.randomUUID().toString();
			for (String path : List.of("/value", "/mono", "/ruled", "/inline", "/both")) {
				for (Response response : responses(application, path, caller)) {
					assertThat(response.status()).as(path).isEqualTo(200);
					assertThat(response.header("RateLimit")).as(path).isNull();
					assertThat(response.header("RateLimit-Policy")).as(path).isNull();
				}
			}
			assertThat(count(application, "some", "shadow_denied")).isEqualTo(11);
			assertThat(count(application, "inline", "shadow_denied")).isEqualTo(2);
			assertThat(count(application, "all", "shadow_denied")).isEqualTo(2);
			assertThat(count(application, "some", "denied")).isZero();
			assertThat(responses(application, "/ruled", "mallory")).extracting(Response::status).containsOnly(403);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void rejectsTheCallersOfTheShareAlone(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store,
				"ratelimit.policies.some.enforce=50%")) {
			for (String path : List.of("/value", "/mono", "/ruled")) {
				List<Response> enforced = responses(application, path, caller(true));
				assertThat(enforced).as(path).extracting(Response::status).containsExactly(200, 429, 429);
				assertThat(enforced.get(0).header("RateLimit")).as(path).startsWith("\"some\";r=0");
				List<Response> tried = responses(application, path, caller(false));
				assertThat(tried).as(path).extracting(Response::status).containsOnly(200);
				assertThat(tried).as(path).extracting((response) -> response.header("RateLimit")).containsOnlyNulls();
			}
			assertThat(count(application, "some", "shadow_denied")).isEqualTo(6);
			List<Response> both = responses(application, "/both", caller(false));
			assertThat(both).extracting(Response::status).containsExactly(200, 429, 429);
			assertThat(both).allSatisfy(
					(response) -> assertThat(response.header("RateLimit-Policy")).isEqualTo("\"all\";q=1;w=3600"));
			assertThat(both.get(1).body()).contains("\"violated-policies\":[\"all\"]");
		}
	}

	/** Returns a new caller on one side of the share. */
	private static String caller(boolean enforced) {
		return Stream.generate(() -> UUID.randomUUID().toString())
			.filter((caller) -> HALF.includes("header:x-client:" + caller) == enforced)
			.findFirst()
			.orElseThrow();
	}

	private static List<Response> responses(ConfigurableApplicationContext application, String path, String caller) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		RealClient client = new RealClient(port);
		return Stream.generate(() -> client.send("GET", path, Map.of("X-Client", caller), "")).limit(3).toList();
	}

	private static double count(ConfigurableApplicationContext application, String policy, String outcome) {
		return application.getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("policy", policy, "outcome", outcome)
			.counter()
			.count();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store, String property) {
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.policies.some.limits=1/1h",
					"ratelimit.policies.some.key=header:X-Client",
					"ratelimit.policies.some.blocked=header:X-Client:mallory", "ratelimit.policies.all.limits=1/1h",
					"ratelimit.policies.all.key=header:X-Client", "ratelimit.rules[0].paths=/ruled",
					"ratelimit.rules[0].policies=some", property)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/value")
		@RateLimited("some")
		String value() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("some")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

		@GetMapping("/inline")
		@RateLimited(policy = "inline", limit = "1/1h", key = "header:X-Client")
		String inline() {
			return "ok";
		}

		@GetMapping("/both")
		@RateLimited("all")
		@RateLimited("some")
		String both() {
			return "ok";
		}

	}

}
