package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The variables of expressions at each place: they are known there, or the start-up
 * fails.
 */
@Tag("long")
class ExpressionMatrixTests {

	private static final List<String> VARIABLES = List.of("argument", "request", "principal", "user", "result", "error",
			"response");

	private static final Set<String> OF_METHOD = Set.of("argument", "request", "principal", "user");

	private static final Set<String> OF_REQUEST = Set.of("request", "principal", "user");

	private static final Set<String> BEFORE_SECURITY = Set.of("request");

	private static final String RULE = "ratelimit.rules[0].";

	/** The known variables by the properties whose text has {@code %s} for one. */
	private static final Map<List<String>, Set<String>> CONFIGURATION = Map.of(List.of("ratelimit.policies.y.key=%s"),
			OF_REQUEST, List.of("ratelimit.policies.y.plan=%s"), OF_REQUEST,
			List.of("ratelimit.policies.y.exempt=%s.toString() == 'x'"), OF_REQUEST,
			List.of("ratelimit.policies.y.blocked=%s.toString() == 'x'"), OF_REQUEST,
			List.of(RULE + "when={%s}.size() == 1"), OF_REQUEST, List.of(RULE + "cost={%s}.size()"), OF_REQUEST,
			List.of(RULE + "charge-when={%s}.size() == 1"), with(OF_REQUEST, "error", "response"),
			List.of(RULE + "refund-when={%s}.size() == 1"), with(OF_REQUEST, "error", "response"),
			List.of(RULE + "actual={%s}.size()"), with(OF_REQUEST, "error", "response"),
			List.of(RULE + "phase=before-security", RULE + "when={%s}.size() == 1"), BEFORE_SECURITY);

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.x.limits=5/1m",
				"ratelimit.policies.y.limits=5/1m", RULE + "paths=/**", RULE + "policies=y");

	@ParameterizedTest
	@MethodSource
	void areKnownToAPropertyOrRefused(List<String> properties, String variable, boolean isKnown) {
		String[] values = properties.stream().map((text) -> text.formatted("#" + variable)).toArray(String[]::new);
		this.application.withPropertyValues(values).run((context) -> {
			if (isKnown) {
				assertThat(context).hasNotFailed();
			}
			else {
				refuses(context.getStartupFailure(), variable);
			}
		});
	}

	static Stream<Arguments> areKnownToAPropertyOrRefused() {
		return CONFIGURATION.entrySet()
			.stream()
			.flatMap((place) -> VARIABLES.stream()
				.map((variable) -> arguments(place.getKey(), variable, place.getValue().contains(variable))));
	}

	@ParameterizedTest
	@MethodSource
	void areKnownToAnAnnotationOrRefused(Class<?> annotated, Set<String> known) {
		WebApplicationContextRunner limited = this.application.withBean(annotated);
		for (String variable : VARIABLES) {
			limited.withPropertyValues("variable=#" + variable).run((context) -> {
				if (known.contains(variable)) {
					assertThat(context).as(variable).hasNotFailed();
				}
				else {
					refuses(context.getStartupFailure(), variable);
				}
			});
		}
	}

	static Stream<Arguments> areKnownToAnAnnotationOrRefused() {
		Set<String> ended = with(OF_METHOD, "result", "error", "response");
		return Stream.of(arguments(Key.class, OF_METHOD), arguments(Cost.class, OF_METHOD),
				arguments(When.class, OF_METHOD), arguments(Actual.class, ended), arguments(ChargeWhen.class, ended),
				arguments(RefundWhen.class, ended));
	}

	private static void refuses(@Nullable Throwable failure, String variable) {
		assertThat(failure).as(variable)
			.rootCause()
			.hasMessageMatching("(there is no argument '#argument'( \\(did you mean .*\\?\\))?|'#" + variable
					+ "' has no value " + "(before|outside) .*); there are \\[#.*");
		assertThat(Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause))
			.hasAtLeastOneElementOfType(InvalidRateLimitConfigurationException.class);
	}

	private static Set<String> with(Set<String> known, String... more) {
		return Stream.concat(known.stream(), Stream.of(more)).collect(Collectors.toSet());
	}

	static class Key {

		@RateLimited(policy = "x", key = "${variable}")
		void call(String argument) {
		}

	}

	static class Cost {

		@RateLimited(policy = "x", cost = "{${variable}}.size()")
		void call(String argument) {
		}

	}

	static class When {

		@RateLimited(policy = "x", when = "{${variable}}.size() == 1")
		void call(String argument) {
		}

	}

	static class Actual {

		@RateLimited(policy = "x", actual = "{${variable}}.size()")
		void call(String argument) {
		}

	}

	static class ChargeWhen {

		@RateLimited(policy = "x", chargeWhen = "{${variable}}.size() == 1")
		void call(String argument) {
		}

	}

	static class RefundWhen {

		@RateLimited(policy = "x", refundWhen = "{${variable}}.size() == 1")
		void call(String argument) {
		}

	}

}
