package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Controls;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits that calls tell, in policies and plans whose limits depend on the time: the
 * number is the call's at all times, the period that of the schedule.
 */
@Tag("long")
class ScheduledPermitsIT {

	private static final String MORNING = "2026-11-23T07:00";

	private static final String DAY = "2026-11-23T08:00";

	private static final String NIGHT = "2026-11-23T22:00";

	/** A key that no other run uses, as counts in Redis outlast it. */
	private final String key = "principal:" + UUID.randomUUID();

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void winOverTheLimitsOfASchedule(String store) {
		try (ConfigurableApplicationContext context = start(store)) {
			follow(context, MORNING);
			assertThat(left(context, null)).isEqualTo("10 of 10/1h");
			assertThat(admitted(context, 3)).isEqualTo(3);
			follow(context, DAY);
			assertThat(left(context, null)).isEqualTo("497 of 500/1h");
			assertThat(left(context, 4L)).isEqualTo("1 of 4/1h");
			assertThat(left(context, 1000L)).isEqualTo("47 of 50/1h");
			assertThat(admitted(context, 3)).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void areForThePeriodOfASchedule(String store) {
		try (ConfigurableApplicationContext context = start(store)) {
			follow(context, DAY);
			assertThat(admitted(context, 5)).isEqualTo(4);
			follow(context, NIGHT);
			assertThat(left(context, null)).isEqualTo("20 of 20/1d");
			assertThat(admitted(context, 5)).isEqualTo(4);
			assertThat(left(context, 4L)).isEqualTo("0 of 4/1d");
			follow(context, MORNING);
			assertThat(left(context, 4L)).isEqualTo("0 of 4/1h");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void winOverTheScheduleOfAPlan(String store) {
		try (ConfigurableApplicationContext context = start(store, "plan=header:X-Plan", "plans.gold.limits=30/1h",
				"plans.gold.schedules[0].from=22:00", "plans.gold.schedules[0].limits=70/2d")) {
			follow(context, DAY);
			assertThat(leftOfPlan(context, null)).isEqualTo("30 of 30/1h");
			assertThat(leftOfPlan(context, 4L)).isEqualTo("4 of 4/1h");
			follow(context, NIGHT);
			assertThat(leftOfPlan(context, null)).isEqualTo("70 of 70/2d");
			assertThat(leftOfPlan(context, 4L)).isEqualTo("4 of 4/2d");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void giveWayToControlsAtAllTimes(String store) {
		try (ConfigurableApplicationContext context = start(store)) {
			for (Control control : List.of(new Change("api", List.of("2/1h"), null, null),
					new Limits("api", this.key, List.of("2/1h")))) {
				follow(context, DAY);
				String id = set(context, control);
				Awaitility.await().untilAsserted(() -> assertThat(left(context, 4L)).isEqualTo("2 of 2/1h"));
				follow(context, NIGHT);
				assertThat(left(context, 4L)).isEqualTo("2 of 2/1h");
				context.getBean(Controls.class).lift(id);
				Awaitility.await().untilAsserted(() -> assertThat(left(context, 4L)).isEqualTo("4 of 4/1d"));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void addWhatAnOperatorGrants(String store) {
		try (ConfigurableApplicationContext context = start(store)) {
			follow(context, DAY);
			set(context, new Grant("api", this.key, 2));
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(context.getBean(RateLimiter.class).grantLeft("api", this.key)).hasValue(2));
			assertThat(admitted(context, 5)).isEqualTo(5);
			follow(context, NIGHT);
			assertThat(admitted(context, 7)).isEqualTo(5);
		}
	}

	/** Returns how many of some calls that tell four permits are admitted. */
	private long admitted(ConfigurableApplicationContext context, int calls) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		return Stream.generate(() -> limiter.acquire(charge(4L)).allowed())
			.limit(calls)
			.filter(Boolean::booleanValue)
			.count();
	}

	private String left(ConfigurableApplicationContext context, @Nullable Long permits) {
		return peek(context, charge(permits));
	}

	private String leftOfPlan(ConfigurableApplicationContext context, @Nullable Long permits) {
		return peek(context, charge(permits).withPlan("gold"));
	}

	private static String peek(ConfigurableApplicationContext context, Charge charge) {
		LimitDecision limit = context.getBean(RateLimiter.class).peek(List.of(charge)).limits().get(0);
		return limit.remaining() + " of " + limit.limit();
	}

	private Charge charge(@Nullable Long permits) {
		return Charge.of("api", this.key).withPermits(permits);
	}

	private static String set(ConfigurableApplicationContext context, Control control) {
		return context.getBean(Controls.class).set(control, Duration.ofHours(1)).id();
	}

	private static void follow(ConfigurableApplicationContext context, String time) {
		context.getBean(ConfigurationReload.class).follow(LocalDateTime.parse(time).toInstant(ZoneOffset.UTC));
	}

	/** Starts an application whose schedules follow no time but that of the test. */
	private ConfigurableApplicationContext start(String store, String... properties) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"ratelimit.redis.key-prefix=" + this.key, "spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.policies.api.limits=10/1h",
					"ratelimit.policies.api.algorithm=fixed-window", "ratelimit.policies.api.permits=claim:rpm",
					"ratelimit.policies.api.max-permits=50", "ratelimit.policies.api.schedules[0].from=08:00",
					"ratelimit.policies.api.schedules[0].to=20:00", "ratelimit.policies.api.schedules[0].limits=500/1h",
					"ratelimit.policies.api.schedules[1].from=22:00", "ratelimit.policies.api.schedules[1].to=06:00",
					"ratelimit.policies.api.schedules[1].limits=20/1d")
			.properties(Arrays.stream(properties)
				.map((property) -> "ratelimit.policies.api." + property)
				.toArray(String[]::new))
			.run();
		context.getBean("io.github.ratelimit.scheduleTask", BackgroundTask.class).stop();
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
