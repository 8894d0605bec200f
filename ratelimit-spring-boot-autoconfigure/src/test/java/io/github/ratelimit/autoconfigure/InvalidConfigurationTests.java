package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The failure analyses of applications that are configured wrongly.
 */
class InvalidConfigurationTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory();

	@ParameterizedTest
	@CsvSource({ "ten, 'a limit is written permits/period, such as 100/1m'",
			"0/1m, 'permits must be at least 1, was 0'", "-1/1m, 'permits must be at least 1, was -1'",
			"5/0s, 'period must be above 0 and at most 366d, was PT0S'", "100/1y, 'a limit is written permits/period'",
			"999999999999/365d, 'too large to be counted exactly'" })
	void namesALimitThatIsNone(String limit, String reason) {
		FailureAnalysis analysis = analysis("ratelimit.policies.x.limits=" + limit);
		assertThat(analysis.getDescription())
			.startsWith("The property 'ratelimit.policies.x.limits[0]' has the value '" + limit + "', but ")
			.contains(reason);
		assertThat(analysis.getAction()).isEqualTo("Correct the property 'ratelimit.policies.x.limits[0]'.");
	}

	@ParameterizedTest
	@MethodSource
	void namesAPolicyPropertyThatIsWrong(String property, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x." + property).getDescription())
			.startsWith("The property 'ratelimit.policies.x")
			.contains(description);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"limits=5 concurrent burst 9 | x.limits[0]' has the value '5 concurrent burst 9', but a limit on concurrency",
			"limits=5/1m concurrency | x.limits[0]' has the value '5/1m concurrency', but a limit on concurrency is",
			"limits=5 concurrent lease 9ms | but a lease is at least 1s, as it is renewed in time, was 9ms",
			"burst=9 | x.burst' has the value '9', but a limit on concurrency has no burst other than the permits",
			"align=day | x.align' has the value 'day', but only a fixed-window is aligned to the calendar, not a limit on",
			"prefetch=2 | x.prefetch' has the value '2', but a prefetch of 2 in policy 'x' is not for 5 concurrent, whose",
			"max-cost=3 | x.max-cost' has the value '3', but a maximum cost is not for policy 'x', which limits calls at" })
	void namesAPropertyThatIsNotForLimitsOnConcurrency(String property, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5 concurrent", "ratelimit.policies.x." + property)
			.getDescription()).startsWith("The property 'ratelimit.policies.").contains(description);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"from=1200 | from' has the value '1200', but a time is written as \"20:00\", in YAML with the quotes",
			"to=25:00 | to' has the value '25:00', but a time is written as",
			"days=mon-sunny | days' has the value '[mon-sunny]', but days are written as mon, tue or a range such as",
			"zone=Tokyo | zone' has the value 'Tokyo', but a time zone is written as Europe/Berlin or UTC",
			"from=08:00 | limits' is missing",
			"limits=many | limits[0]' has the value 'many', but a limit is written" })
	void namesAScheduleThatIsWrong(String property, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x.schedules[0]." + property)
			.getDescription()).startsWith("The property 'ratelimit.policies.x.schedules[0]." + description);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "principal + rout | '[principal + rout]', but its part 'rout' is wrong: a key is client-ip, ",
					"principal + principal | '[principal + principal]', but 'principal' is joined twice",
					"+ | '[+]', but a plus joins two keys, as in principal + route" })
	void namesAJoinedKeyThatIsWrong(String key, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x.key=" + key).getDescription())
			.startsWith("The property 'ratelimit.policies.x.key' has the value " + description);
	}

	static Stream<Arguments> namesAPolicyPropertyThatIsWrong() {
		return Stream.of(
				Arguments.of("limits=5/1m,5/1m", "x' has the value '[5/1m, 5/1m]', but the limit 5/1m is listed twice"),
				Arguments.of("burst=0", "x.burst' has the value '0', but burst must be at least 1, was 0"),
				Arguments.of("plans.gold=50/1m", "x.plan' is missing, so that no caller has one of [gold]"),
				Arguments.of("plans.gold.mode=shadow", "x.plan' is missing, so that no caller has one of [gold]"),
				Arguments.of("plan=plan", "x.plan' has the value 'plan', but a key is client-ip, principal, "),
				Arguments.of("plan=bean:plans", "there is no PlanResolver bean named 'plans'"),
				Arguments.of("candidate=50", "x.candidate[0]' has the value '50', but "),
				Arguments.of("exempt=role:A,alice",
						"x.exempt[1]' has the value 'alice', but a caller is ip:RANGE, role:NAME, "),
				Arguments.of("blocked=ip:10.0.0.1/8", "x.blocked[0]' has the value 'ip:10.0.0.1/8', but "),
				Arguments.of("blocked=#user.", "x.blocked[0]' has the value '#user.', but the expression"),
				Arguments.of("key=client-id",
						"x.key' has the value '[client-id]', but a key is client-ip, principal, "),
				Arguments.of("key=header:", "x.key' has the value '[header:]', but a key is client-ip, principal, "),
				Arguments.of("key=bean:tenant", "there is no KeyResolver bean named 'tenant'"),
				Arguments.of("key=#user.",
						"x.key' has the value '[#user.]', but the expression '#user.' does not parse"),
				Arguments.of("key=#u == T(Runtime)", "an expression here cannot use types: T(Runtime)"),
				Arguments.of("key=#u == new String()", "an expression here cannot use constructors: new String()"),
				Arguments.of("key=#u == @users", "an expression here cannot use beans: @users"),
				Arguments.of("key=#u = 5", "an expression here cannot use assignments"),
				Arguments.of("key=#exit()", "an expression here cannot use functions: #exit()"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "5|The property 'ratelimit.policies.x.plans.gold[0]' has the value '5', but ",
			"5/1m,20/1h|The property 'ratelimit.policies.x.plans.gold' has the value '[5/1m, 20/1h]', but plan 'gold' must",
			"|The property 'ratelimit.policies.x.plans.gold' has the value '[]', but plan 'gold' must have one limit" })
	void namesAPlanThatIsWrong(@Nullable String limits, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x.plan=header:X-Plan",
				"ratelimit.policies.x.plans.gold=" + Objects.requireNonNullElse(limits, ""))
			.getDescription()).contains(description);
	}

	@Test
	void namesAModeOfAPlanThatIsWrong() {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x.plan=header:X-Plan",
				"ratelimit.policies.x.plans.gold.mode=loud")
			.getDescription())
			.isEqualTo("The property 'ratelimit.policies.x.plans.gold.mode' has the value 'loud', "
					+ "but it is one of enforce, shadow, off.");
	}

	@ParameterizedTest
	@CsvSource({ "key=header: X-Api-Key, is no name of a header; write header:X-Api-Key",
			"exempt=role:ROLE_ADMIN, a role is written without 'ROLE_'",
			"blocked=role:ROLE_ADMIN, a role is written without 'ROLE_'" })
	void namesAWordThatMatchesNobody(String property, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x." + property).getDescription())
			.startsWith("The property 'ratelimit.policies.x.")
			.contains(description);
	}

	@Test
	void namesAPolicyWithoutLimits() {
		FailureAnalysis analysis = analysis("ratelimit.policies.x.key=global");
		assertThat(analysis.getDescription()).isEqualTo("The property 'ratelimit.policies.x.limits' is missing.");
		assertThat(analysis.getAction()).contains("such as 100/1m");
	}

	@ParameterizedTest
	@CsvSource({ "align=day, has the value 'day', but only a fixed-window is aligned to the calendar",
			"max-wait=-1s, a maximum wait is at least 0 and at most 366d",
			"local-share=0, 'but a local share is 1 to 100 percent, was 0'",
			"max-cost=0, a maximum cost must be at least 1",
			"reserve=20%, it is for a policy that 'shares' the counts of another",
			"shares=y, the policy shares those of 'y'" })
	void namesATermThatIsWrong(String property, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x." + property).getDescription())
			.startsWith("The property 'ratelimit.policies.x.")
			.contains(description);
	}

	@ParameterizedTest
	@CsvSource({ "algorithm=token-bucket, -1, 'a prefetch is at least 0 permits, was -1'",
			"algorithm=token-bucket, 6, 'a prefetch of 6 in policy ''x'' is more than limit 5/1m can ever admit, 5'",
			"algorithm=sliding-window-log, 3, 'a prefetch of 3 in policy ''x'' is not for a sliding-window-log'",
			"algorithm=sliding-window-counter, 3, 'is not for a sliding-window-counter, whose permits cannot be taken'",
			"max-wait=1s, 3, 'a prefetch of 3 in policy ''x'' is not for calls that wait in line'" })
	void namesAPrefetchThatCannotBe(String property, String prefetch, String description) {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x." + property,
				"ratelimit.policies.x.prefetch=" + prefetch)
			.getDescription())
			.startsWith("The property 'ratelimit.policies.x.prefetch' has the value '" + prefetch + "'")
			.contains(description);
	}

	@ParameterizedTest
	@CsvSource({ "shares=z, there is no policy of that name with limits of its own",
			"reserve=a lot, a reserve is a percentage from 0% to 99%",
			"reserve=90%, a reserve of 90% leaves nothing of limit 5/1m in policy" })
	void namesWhatIsWrongWithASharedCount(String property, String description) {
		assertThat(analysis("ratelimit.policies.y.limits=5/1m", "ratelimit.policies.x.shares=y",
				"ratelimit.policies.x." + property)
			.getDescription()).startsWith("The property 'ratelimit.policies.x.").contains(description);
	}

	@Test
	void namesABurstThatSeveralLimitsWouldShare() {
		assertThat(analysis("ratelimit.policies.x.limits=5/1m,20/1h", "ratelimit.policies.x.burst=3").getDescription())
			.contains("'ratelimit.policies.x.burst'")
			.contains("it needs a policy with one limit, and this one has [5/1m, 20/1h]; write it behind a limit");
	}

	@Test
	void namesRedisWhereThereIsNone() {
		FailureAnalysis analysis = analysis(
				this.context.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class)),
				"ratelimit.store=redis");
		assertThat(analysis.getDescription()).contains("there is no RedisConnectionFactory");
		assertThat(analysis.getAction()).contains("set 'ratelimit.store' to 'memory'");
	}

	@Test
	void namesAMemoryStoreThatIsTooSmall() {
		assertThat(analysis("ratelimit.memory.max-keys=0").getDescription())
			.isEqualTo("The property 'ratelimit.memory.max-keys' must be at least 1, was 0.");
		assertThat(analysis("ratelimit.memory.max-log-size=0B").getDescription())
			.isEqualTo("The property 'ratelimit.memory.max-log-size' must be at least 1, was 0.");
	}

	@ParameterizedTest
	@CsvSource({ "trusted-proxies=proxy.example.org, 'is no IP address or range, such as 10.0.0.0/8'",
			"trusted-proxies=10.0.0.1/8, 'has an address with bits beyond its prefix'",
			"ipv6-prefix=32, 'an IPv6 prefix must be from 48 to 128, was 32'" })
	void namesAnHttpPropertyThatIsWrong(String property, String reason) {
		FailureAnalysis analysis = analysis("ratelimit.http." + property);
		assertThat(analysis.getDescription())
			.startsWith(
					"The property 'ratelimit.http." + property.substring(0, property.indexOf('=')) + "' has the value ")
			.contains(property.substring(property.indexOf('=') + 1))
			.contains(reason);
	}

	@ParameterizedTest
	@CsvSource({ "timeout=0ms, 'ratelimit.redis.timeout', at least 1ms",
			"connect-timeout=0ms, 'ratelimit.redis.connect-timeout', at least 1ms",
			"key-prefix={a}, 'ratelimit.redis.key-prefix', without braces",
			"key-prefix=, 'ratelimit.redis.key-prefix', visible ASCII characters",
			"denial-cache.max-keys=0, 'ratelimit.redis.denial-cache.max-keys', at least 1",
			"denial-cache.max-age=0s, 'ratelimit.redis.denial-cache.max-age', at least 1ms" })
	void namesARedisPropertyThatIsWrong(String property, String name, String requirement) {
		ApplicationContextRunner withRedis = this.context
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));
		assertThat(analysis(withRedis, "ratelimit.store=redis", "ratelimit.redis." + property).getDescription())
			.contains(name)
			.contains(requirement);
	}

	@Test
	void namesAnAnnotationWithAnUnknownPolicy() {
		FailureAnalysis analysis = analysis(this.context.withBean(UnknownPolicy.class));
		assertThat(analysis.getDescription()).contains("@RateLimited(policy = \"qotes\")")
			.contains("UnknownPolicy.call")
			.contains("there is no policy named 'qotes'");
		assertThat(analysis.getAction()).contains("Correct the annotation on").contains("UnknownPolicy.call");
	}

	private FailureAnalysis analysis(String... properties) {
		return analysis(this.context, properties);
	}

	private static FailureAnalysis analysis(ApplicationContextRunner application, String... properties) {
		List<FailureAnalysis> found = new ArrayList<>();
		application.withPropertyValues(properties)
			.run((context) -> found.add(analyze(Objects.requireNonNull(context.getStartupFailure(), "it starts"))));
		return found.get(0);
	}

	static FailureAnalysis analyze(Throwable failure) {
		for (FailureAnalyzer analyzer : SpringFactoriesLoader
			.forDefaultResourceLocation(InvalidConfigurationTests.class.getClassLoader())
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))) {
			FailureAnalysis analysis = analyzer.analyze(failure);
			if (analysis != null) {
				return analysis;
			}
		}
		throw new AssertionError("nothing explains the failure", failure);
	}

	/** Names a policy that nobody configured. */
	static class UnknownPolicy {

		@RateLimited("qotes")
		void call() {
		}

	}

}
