package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.MessageCallerSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The variables of expressions in an application that serves no requests.
 */
class ExpressionsWithoutWebTests {

	private static final String REFUSED = "' has no value in an application without a web server (Spring MVC or "
			+ "WebFlux); use an argument of the method instead; there are [";

	private final ApplicationContextRunner application = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.x.limits=5/1m")
		.withBean(Service.class);

	@ParameterizedTest
	@ValueSource(
			strings = { "key=#request.header('X-Key')", "key=#user.name", "key=#principal", "cost=#request?.size ?: 1",
					"when=#request == null", "actual=#user.name == null ? 1 : 2", "actual=#response == null ? 1 : 2",
					"charge-when=#response?.status == 200", "refund-when=#request.path == '/'" })
	void refusesAVariableOfRequestsInAnAnnotation(String attribute) {
		this.application.withPropertyValues(attribute)
			.run((context) -> assertRefused(context.getStartupFailure(), variable(attribute)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "key=#request.header('X-Key')", "key=#principal", "plan=#user.claim('plan')",
			"exempt=#user.hasRole('ADMIN')", "blocked=#request.method == 'TRACE'" })
	void refusesAVariableOfRequestsInAPolicy(String property) {
		this.application.withPropertyValues("ratelimit.policies.x." + property)
			.run((context) -> assertRefused(context.getStartupFailure(), variable(property)));
	}

	@Test
	void admitsArgumentsAndTheOutcomeOfTheMethod() {
		this.application
			.withPropertyValues("key=#argument", "cost=#argument.length()", "when=#argument != null",
					"actual=#error == null ? 1 : 2", "charge-when=#result == null")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void admitsAnArgumentWithTheNameOfAVariable() {
		this.application.withBean(Renamed.class).run((context) -> {
			context.getBean(Renamed.class).call("a");
			assertThat(context.getBean(RateLimiter.class).peek(List.of(Charge.of("x", "expression:a"))).limits())
				.extracting(LimitDecision::remaining)
				.containsExactly(4L);
		});
	}

	@Test
	void leavesAPolicyAloneThatNoMethodCharges() {
		this.application
			.withPropertyValues("ratelimit.policies.y.limits=5/1m", "ratelimit.policies.y.key=#request.path")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void admitsRequestsAndUsersOfOtherCallers() {
		ApplicationContextRunner served = this.application.withBean(CallerSource.class, () -> () -> Caller.NONE);
		served.withPropertyValues("key=#request.path", "when=#user.name != null")
			.run((context) -> assertThat(context).hasNotFailed());
		served.withPropertyValues("actual=#response == null ? 1 : 2")
			.run((context) -> assertRefused(context.getStartupFailure(), "#response"));
	}

	@Test
	void refusesRequestsWhereCallersSendMessagesAlone() {
		this.application.withBean(MessageCallerSource.class, () -> () -> Caller.NONE)
			.withPropertyValues("when=#request == null")
			.run((context) -> assertRefused(context.getStartupFailure(), "#request"));
	}

	private static void assertRefused(@Nullable Throwable failure, String variable) {
		assertThat(Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause))
			.filteredOn(InvalidRateLimitConfigurationException.class::isInstance)
			.singleElement()
			.extracting(Throwable::getMessage, as(InstanceOfAssertFactories.STRING))
			.contains(Service.class.getName() + ".call is wrong: '" + variable + REFUSED)
			.doesNotMatch("(?s).*there are .*" + variable + "[,\\]].*");
	}

	private static String variable(String expression) {
		Matcher variable = Pattern.compile("#\\w+").matcher(expression);
		assertThat(variable.find()).isTrue();
		return variable.group();
	}

	static class Service {

		@RateLimited(policy = "x", key = "${key:}", cost = "${cost:1}", when = "${when:}", actual = "${actual:}",
				chargeWhen = "${charge-when:}", refundWhen = "${refund-when:}")
		public void call(String argument) {
		}

	}

	static class Renamed {

		@RateLimited(policy = "x", key = "#request")
		public void call(String request) {
		}

	}

}
