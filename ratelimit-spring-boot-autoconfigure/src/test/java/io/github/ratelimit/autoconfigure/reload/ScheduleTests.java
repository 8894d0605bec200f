package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.InEffect;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Policies whose limits depend on the time of the day and the day of the week.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class ScheduleTests {

	private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

	private static final String[] PLAN = { "plan=header:X-Plan", "plans.gold.limits=20/1h",
			"plans.gold.schedules[0].from=08:00", "plans.gold.schedules[0].to=20:00",
			"plans.gold.schedules[0].days=mon-fri", "plans.gold.schedules[0].limits=900/1h",
			"plans.gold.schedules[1].from=22:00", "plans.gold.schedules[1].limits=5/1h" };

	/** 2026-11-23 is a Monday. In Tokyo the first schedule is in effect by day. */
	@ParameterizedTest
	@CsvSource({ "2026-11-23T07:59:59, 10", "2026-11-23T08:00, 500", "2026-11-23T19:59:59.999999999, 500",
			"2026-11-23T20:00, 10", "2026-11-27T12:00, 500", "2026-11-28T12:00, 10", "2026-11-28T21:59, 10",
			"2026-11-28T22:00, 2", "2026-11-29T05:59, 2", "2026-11-29T06:00, 10", "2026-11-29T22:00, 10",
			"2026-11-22T23:00, 10" })
	void switchesLimits(String time, long permits) {
		try (ConfigurableApplicationContext context = start("schedules[0].from=08:00", "schedules[0].to=20:00",
				"schedules[0].days=mon-fri", "schedules[0].limits=500/1h", "schedules[1].from=22:00",
				"schedules[1].to=06:00", "schedules[1].days=sat", "schedules[1].limits=2/1h")) {
			follow(context, time);
			assertThat(permits(context)).isEqualTo(permits);
		}
	}

	/** In Tokyo, where summer and winter are alike, a sale begins at midnight. */
	@ParameterizedTest
	@CsvSource({ "2026-11-26T23:59:59, 500", "2026-11-27T00:00, 900", "2026-11-30T23:59:59, 900",
			"2026-12-01T00:00, 10", "2026-12-24T19:00, 70", "2026-12-25T01:59, 70", "2026-12-25T02:00, 10",
			"2026-12-25T19:00, 10" })
	void switchesLimitsOnDates(String time, long permits) {
		try (ConfigurableApplicationContext context = start("schedules[0].dates=2026-11-27..2026-11-30",
				"schedules[0].limits=900/1h", "schedules[1].dates=2026-12-24,2026-11-27", "schedules[1].from=18:00",
				"schedules[1].to=02:00", "schedules[1].limits=70/1h", "schedules[2].dates=2026-11-01..2026-11-30",
				"schedules[2].days=thu", "schedules[2].limits=500/1h")) {
			follow(context, time);
			assertThat(permits(context)).isEqualTo(permits);
		}
	}

	@Test
	void keepsCountsAndControls() {
		try (ConfigurableApplicationContext context = start("schedules[0].from=08:00", "schedules[0].to=20:00",
				"schedules[0].limits=500/1h")) {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			follow(context, "2026-11-23T07:00");
			assertThat(limiter.acquire(new Charge("api", "global", 7)).allowed()).isTrue();
			follow(context, "2026-11-23T08:00");
			assertThat(remaining(limiter)).isEqualTo(493);
			follow(context, "2026-11-23T20:00");
			assertThat(remaining(limiter)).isEqualTo(3);
			context.getBean(Controls.class).set(change(), null);
			follow(context, "2026-11-24T08:00");
			assertThat(permits(context)).isEqualTo(1);
		}
	}

	/** 2026-11-23 is a Monday. */
	@ParameterizedTest
	@CsvSource({ "2026-11-23T07:59:59, 20, 10", "2026-11-23T08:00, 900, 10", "2026-11-23T20:00, 20, 10",
			"2026-11-28T12:00, 20, 10", "2026-11-28T22:00, 5, 10" })
	void switchesTheLimitsOfAPlan(String time, long ofPlan, long ofPolicy) {
		try (ConfigurableApplicationContext context = start(PLAN)) {
			follow(context, time);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(remaining(limiter, "gold")).isEqualTo(ofPlan);
			assertThat(remaining(limiter, "none")).isEqualTo(ofPolicy);
		}
	}

	@Test
	void keepsTheCountsOfAPlan() {
		try (ConfigurableApplicationContext context = start(PLAN)) {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			follow(context, "2026-11-23T08:00");
			assertThat(limiter.acquire(new Charge("api", "global", 17).withPlan("gold")).allowed()).isTrue();
			follow(context, "2026-11-23T20:00");
			assertThat(remaining(limiter, "gold")).isEqualTo(3);
		}
	}

	@Test
	void appliesTheSchedulesOfThePolicyToAPlanWithoutLimits() {
		try (ConfigurableApplicationContext context = start("plan=header:X-Plan", "plans.silver.mode=enforce",
				"plans.bronze.schedules[0].from=10:00", "plans.bronze.schedules[0].limits=1/1h",
				"schedules[0].from=08:00", "schedules[0].limits=500/1h")) {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			follow(context, "2026-11-23T07:00");
			assertThat(remaining(limiter, "silver")).isEqualTo(10);
			assertThat(remaining(limiter, "bronze")).isEqualTo(10);
			follow(context, "2026-11-23T09:00");
			assertThat(remaining(limiter, "silver")).isEqualTo(500);
			assertThat(remaining(limiter, "bronze")).isEqualTo(500);
			follow(context, "2026-11-23T11:00");
			assertThat(remaining(limiter, "silver")).isEqualTo(500);
			assertThat(remaining(limiter, "bronze")).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"schedules[0].dates=27.11.2026 | 'ratelimit.policies.api.plans.gold.schedules[0].dates' has the value '[27.11.2026]'",
			"schedules[0].dates=2026-11-30..2026-11-27 | the last date is before the first",
			"schedules[0].from=8 | 'ratelimit.policies.api.plans.gold.schedules[0].from' has the value '8'",
			"schedules[2].to=08:00 | 'ratelimit.policies.api.plans.gold.schedules[2].limits' is missing",
			"schedules[0].limits=5/1h,9/1d | 'ratelimit.policies.api.plans.gold.schedules[0]' has the value '[5/1h, 9/1d]'",
			"schedules[0].limit=5/1h | 'ratelimit.policies.api.plans.gold.schedules[0].limit' does not exist",
			"schedule=5/1h | 'ratelimit.policies.api.plans.gold.schedule' does not exist" })
	void refusesMistakesInSchedulesOfPlansWhateverTheTime(String property, String message) {
		assertThatThrownBy(() -> run(with("plans.gold." + property))).hasStackTraceContaining(message);
	}

	@Test
	void refusesAReloadWithAMistakeInAScheduleOfAPlan() {
		try (ConfigurableApplicationContext context = start(PLAN)) {
			follow(context, "2026-11-23T08:00");
			assertThat(Reloads.of(context, "ratelimit.policies.api.plans.gold.schedules[0].from=8").problem())
				.contains("'ratelimit.policies.api.plans.gold.schedules[0].from' has the value '8'");
			assertThat(remaining(context.getBean(RateLimiter.class), "gold")).isEqualTo(900);
		}
	}

	/** Not in effect at the start, whenever that is. */
	@Test
	void keepsTheOutcomeOfTheLastReload() {
		try (ConfigurableApplicationContext context = start("schedules[0].dates=2026-11-23", "schedules[0].from=08:00",
				"schedules[0].to=20:00", "schedules[0].limits=500/1h")) {
			follow(context, "2026-11-23T07:00");
			InEffect started = context.getBean(LastReload.class).inEffect();
			Reload refused = Reloads.of(context, "ratelimit.policies.api.limits=often");
			assertThat(refused.problem()).contains("often");
			follow(context, "2026-11-23T08:00");
			assertThat(permits(context)).isEqualTo(500);
			assertThat(Reloads.last(context)).isSameAs(refused);
			assertThat(context.getBean(LastReload.class).inEffect()).isEqualTo(started);
		}
	}

	/** Not in effect at the start, whenever that is. */
	@Test
	void reportsOnceThatACallCostsMoreThanASchedulesLimit(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start(List.of(Application.class, Costly.class),
				"schedules[0].dates=2026-11-23", "schedules[0].from=08:00", "schedules[0].to=20:00",
				"schedules[0].limits=4/1h")) {
			follow(context, "2026-11-23T07:00");
			follow(context, "2026-11-23T08:00");
			follow(context, "2026-11-23T08:01");
			assertThat(permits(context)).isEqualTo(10);
			assertThat(Reloads.last(context).problem()).contains("Costly");
			assertThat(output).containsOnlyOnce("The configuration of rate limits was not reloaded");
			follow(context, "2026-11-23T20:00");
			assertThat(Reloads.last(context).problem()).isNull();
		}
	}

	/** Not in effect at the start, whenever that is. */
	@Test
	void keepsTheLimitsOfAllPoliciesWhileACallCostsMoreThanASchedulesLimit() {
		String other = "ratelimit.policies.other.";
		try (ConfigurableApplicationContext context = start(List.of(Application.class, Costly.class),
				"schedules[0].dates=2026-11-23", "schedules[0].from=08:00", "schedules[0].to=20:00",
				"schedules[0].limits=4/1h", other + "limits=10/1h", other + "zone=Asia/Tokyo",
				other + "schedules[0].dates=2026-11-23", other + "schedules[0].from=09:00",
				other + "schedules[0].limits=500/1h")) {
			follow(context, "2026-11-23T07:00");
			follow(context, "2026-11-23T09:00");
			assertThat(permits(context, "other")).isEqualTo(10);
			follow(context, "2026-11-23T20:00");
			assertThat(permits(context, "other")).isEqualTo(500);
		}
	}

	@Test
	void startsWithTheScheduleInEffectAndFollowsTheTime() {
		try (ConfigurableApplicationContext context = run("schedules[0].limits=500/1h")) {
			assertThat(permits(context)).isEqualTo(500);
		}
		try (ConfigurableApplicationContext context = run("schedules[0].days=" + today(),
				"schedules[0].limits=500/1h")) {
			assertThat(permits(context)).isEqualTo(500);
			context.getBean(ConfigurationReload.class).follow(Instant.now().plus(Duration.ofDays(2)));
			assertThat(permits(context)).isEqualTo(10);
			Awaitility.await().untilAsserted(() -> assertThat(permits(context)).isEqualTo(500));
		}
	}

	@Test
	void survivesAReload() {
		try (ConfigurableApplicationContext context = start("schedules[0].limits=500/1h")) {
			context.getBean(ConfigurationReload.class).reload();
			assertThat(permits(context)).isEqualTo(500);
		}
	}

	private static String today() {
		return LocalDateTime.now(TOKYO).getDayOfWeek().name().toLowerCase(Locale.ROOT) + ","
				+ LocalDateTime.now(TOKYO).getDayOfWeek().plus(1).name();
	}

	private static Change change() {
		return new Change("api", List.of("1/1h"), null, null);
	}

	private static void follow(ConfigurableApplicationContext context, String time) {
		context.getBean(ConfigurationReload.class).follow(LocalDateTime.parse(time).atZone(TOKYO).toInstant());
	}

	private static long permits(ConfigurableApplicationContext context) {
		return permits(context, "api");
	}

	private static long permits(ConfigurableApplicationContext context, String policy) {
		return context.getBean(Policies.class).get(policy).limits().get(0).rate().permits();
	}

	private static String[] with(String property) {
		return Stream.concat(Arrays.stream(PLAN), Stream.of(property)).toArray(String[]::new);
	}

	private static @Nullable Long remaining(RateLimiter limiter, String plan) {
		return limiter.peek(List.of(new Charge("api", "global", 0).withPlan(plan))).limits().get(0).remaining();
	}

	private static @Nullable Long remaining(RateLimiter limiter) {
		return limiter.peek(List.of(new Charge("api", "global", 0))).limits().get(0).remaining();
	}

	/** Starts an application whose schedules follow no time but that of the test. */
	private static ConfigurableApplicationContext start(String... properties) {
		return start(List.of(Application.class), properties);
	}

	private static ConfigurableApplicationContext start(List<Class<?>> sources, String... properties) {
		ConfigurableApplicationContext context = run(sources, properties);
		context.getBean("io.github.ratelimit.scheduleTask", BackgroundTask.class).stop();
		return context;
	}

	private static ConfigurableApplicationContext run(String... properties) {
		return run(List.of(Application.class), properties);
	}

	private static ConfigurableApplicationContext run(List<Class<?>> sources, String... properties) {
		return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(WebApplicationType.NONE)
			.properties("ratelimit.store=memory", "ratelimit.policies.api.limits=10/1h",
					"ratelimit.policies.api.algorithm=fixed-window", "ratelimit.policies.api.zone=Asia/Tokyo")
			.properties(Arrays.stream(properties)
				.map((property) -> property.startsWith("ratelimit.") ? property : "ratelimit.policies.api." + property)
				.toArray(String[]::new))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Costly {

		@RateLimited(policy = "api", cost = "5")
		public void call() {
		}

	}

}
