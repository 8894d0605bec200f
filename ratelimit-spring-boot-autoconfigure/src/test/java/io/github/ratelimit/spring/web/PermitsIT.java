package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
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
 * Permits that calls tell for the limit of their caller, by annotations and rules, on
 * every kind of server and store.
 */
@Tag("long")
class PermitsIT {

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void limitEachCallerToItsOwnNumber(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store)) {
			for (String path : List.of("/value", "/mono", "/ruled")) {
				String caller = UUID.randomUUID().toString();
				assertThat(statuses(application, path, caller, "2")).as(path).containsExactly(200, 200, 429);
				assertThat(statuses(application, path, caller, "4")).as(path).containsExactly(200, 200, 429);
				Response denied = response(application, path, caller, "4");
				assertThat(denied.header("RateLimit-Policy")).as(path).isEqualTo("\"own\";q=4;w=3600");
				assertThat(denied.body()).as(path).contains("\"violated-policies\":[\"own\"]");
				assertThat(response(application, path, caller, "99").header("RateLimit"))
					.as(path + ", above the ceiling")
					.startsWith("\"own\";r=0");
				String other = UUID.randomUUID().toString();
				assertThat(statuses(application, path, other, "")).as(path).containsExactly(200, 429, 429);
			}
			assertThat(count(application, "denied")).isEqualTo(3 * 6);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "REACTIVE, memory" })
	void refuseCallsWhoseNumberIsNone(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store)) {
			for (String path : List.of("/value", "/mono", "/ruled")) {
				for (String number : List.of("0", "-3", "secret", "NaN")) {
					Response response = response(application, path, "alice", number);
					assertThat(response.status()).as(path + " " + number).isEqualTo(422);
					assertThat(response.body()).doesNotContain("secret", "alice");
				}
			}
			assertThat(count(application, "invalid_cost")).isEqualTo(3 * 4);
			assertThat(statuses(application, "/ruled", "alice", "")).containsExactly(200, 429, 429);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void areThoseThatTheUsageShows(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store)) {
			String caller = UUID.randomUUID().toString();
			response(application, "/value", caller, "4");
			assertThat(response(application, "/usage", caller, "4").body())
				.contains("\"limit\":\"4/1h\",\"permits\":4,\"used\":1,\"remaining\":3");
			assertThat(response(application, "/usage", caller, "secret").body()).doesNotContain("own");
		}
	}

	/** The number is the caller's, the period that of the schedule. */
	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void winOverTheLimitsOfASchedule(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store,
				"ratelimit.policies.own.schedules[0].limits=3/2h fixed-window")) {
			for (String path : List.of("/value", "/mono", "/ruled")) {
				String caller = UUID.randomUUID().toString();
				assertThat(statuses(application, path, caller, "2")).as(path).containsExactly(200, 200, 429);
				Response denied = response(application, path, caller, "2");
				assertThat(denied.header("RateLimit-Policy")).as(path).isEqualTo("\"own\";q=2;w=7200");
				assertThat(response(application, path, caller, "").header("RateLimit-Policy")).as(path)
					.isEqualTo("\"own\";q=3;w=7200");
			}
		}
	}

	private static List<Integer> statuses(ConfigurableApplicationContext application, String path, String caller,
			String permits) {
		return Stream.generate(() -> response(application, path, caller, permits).status()).limit(3).toList();
	}

	private static Response response(ConfigurableApplicationContext application, String path, String caller,
			String permits) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		Map<String, String> headers = permits.isEmpty() ? Map.of("X-Client", caller)
				: Map.of("X-Client", caller, "X-Rpm", permits);
		return new RealClient(port).send("GET", path, headers, "");
	}

	private static double count(ConfigurableApplicationContext application, String outcome) {
		return application.getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("policy", "own", "outcome", outcome)
			.counter()
			.count();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store,
			String... properties) {
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.usage.path=/usage",
					"ratelimit.policies.own.limits=1/1h fixed-window", "ratelimit.policies.own.key=header:X-Client",
					"ratelimit.policies.own.permits=header:X-Rpm", "ratelimit.policies.own.max-permits=4",
					"ratelimit.rules[0].paths=/ruled", "ratelimit.rules[0].policies=own")
			.properties(properties)
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
		@RateLimited("own")
		String value() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("own")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

	}

}
