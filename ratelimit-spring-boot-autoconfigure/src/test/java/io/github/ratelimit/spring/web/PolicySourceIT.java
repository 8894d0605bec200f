package io.github.ratelimit.spring.web;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicySource;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Policies and rules from a source, and the schedules of their plans, on every kind of
 * server and store.
 */
@Tag("long")
class PolicySourceIT {

	/** The end of names that no other run uses, as counts in Redis outlast it. */
	private final String unique = UUID.randomUUID().toString().substring(0, 8);

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void followsASource(WebApplicationType type, String store) {
		Source source = new Source();
		source.set("ratelimit.policies.sourced.limits", "2/1h", "ratelimit.rules[0].paths", "/ruled",
				"ratelimit.rules[0].policies", List.of("sourced"));
		try (ConfigurableApplicationContext application = application(type, store, source)) {
			assertThat(statuses(application, "/ruled", null)).containsExactly(200, 200, 429, 429);
			assertThat(statuses(application, "/annotated", null)).containsExactly(429, 429, 429, 429);
			source.set("ratelimit.policies.sourced.limits", "3/1h", "ratelimit.rules[0].paths", "/ruled",
					"ratelimit.rules[0].policies", List.of("sourced"));
			Awaitility.await().untilAsserted(() -> assertThat(limits(application)).isEqualTo("[3/1h]"));
			assertThat(statuses(application, "/ruled", null)).containsExactly(200, 429, 429, 429);
			source.fail = true;
			Awaitility.await().untilAsserted(() -> assertThat(problem(application)).contains("IllegalStateException"));
			assertThat(statuses(application, "/annotated", null)).containsExactly(429, 429, 429, 429);
			source.fail = false;
			source.set("ratelimit.policies.sourced.limits", "3/1h");
			Awaitility.await().untilAsserted(() -> assertThat(problem(application)).isNull());
			assertThat(statuses(application, "/ruled", null)).containsExactly(200, 200, 200, 200);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void limitsTheCallersOfAPlanByItsSchedule(WebApplicationType type, String store) {
		Source source = new Source();
		source.set("ratelimit.policies.sourced.limits", "1/1h", "ratelimit.policies.sourced.plan", "header:X-Plan",
				"ratelimit.policies.sourced.plans.premium.limits", "2/1h",
				"ratelimit.policies.sourced.plans.premium.schedules[0].limits", "3/1h");
		try (ConfigurableApplicationContext application = application(type, store, source)) {
			assertThat(statuses(application, "/annotated", "premium")).containsExactly(200, 200, 200, 429);
			assertThat(statuses(application, "/annotated", null)).containsExactly(429, 429, 429, 429);
		}
	}

	private static String limits(ConfigurableApplicationContext application) {
		return application.getBean(Policies.class).get("sourced").limits().toString();
	}

	private static @Nullable String problem(ConfigurableApplicationContext application) {
		Reload reload = application.getBean(LastReload.class).get();
		return (reload != null) ? reload.problem() : null;
	}

	private static List<Integer> statuses(ConfigurableApplicationContext application, String path,
			@Nullable String plan) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		RealClient client = new RealClient(port);
		Map<String, String> headers = (plan != null) ? Map.of("X-Plan", plan) : Map.of();
		return Stream.generate(() -> client.send("GET", path, headers, "").status()).limit(4).toList();
	}

	private ConfigurableApplicationContext application(WebApplicationType type, String store, Source source) {
		return SharedApplications.on(type, Application.class)
			.initializers((context) -> context.getBeanFactory().registerSingleton("source", source))
			.properties("server.port=0", "ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"ratelimit.redis.key-prefix=source-" + this.unique,
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.policy-source.interval=50ms",
					"ratelimit.policies.configured.limits=1/1h")
			.run();
	}

	/** A source whose properties a test changes. */
	private static final class Source implements PolicySource {

		private volatile Map<String, Object> properties = Map.of();

		private volatile boolean fail;

		void set(Object... namesAndValues) {
			Map<String, Object> changed = new HashMap<>();
			for (int i = 0; i < namesAndValues.length; i += 2) {
				changed.put((String) namesAndValues[i], namesAndValues[i + 1]);
			}
			this.properties = changed;
		}

		@Override
		public Map<String, ?> properties() {
			if (this.fail) {
				throw new IllegalStateException("the source is down");
			}
			return this.properties;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

		@GetMapping("/annotated")
		@RateLimited("sourced")
		String annotated() {
			return "ok";
		}

	}

}
