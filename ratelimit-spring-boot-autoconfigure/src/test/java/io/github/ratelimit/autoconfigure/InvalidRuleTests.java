package io.github.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RateLimitRules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

class InvalidRuleTests {

	private static final String[] VALID = { "ratelimit.store=memory", "ratelimit.policies.x.limits=5/1m",
			"ratelimit.policies.orders.limits=5/1m", "ratelimit.policies.orders.key=#order.id",
			"ratelimit.rules[0].paths=/a,/b/**", "ratelimit.rules[0].methods=GET,post",
			"ratelimit.rules[0].when=#request.header('X') != null", "ratelimit.rules[0].policies=x",
			"ratelimit.rules[0].phase=before-security" };

	@ParameterizedTest
	@MethodSource
	void namesAPropertyThatIsWrong(String property, String description) {
		servlet().withPropertyValues("ratelimit.rules[0]." + property)
			.run((context) -> fails(context.getStartupFailure(), description));
		reactive().withPropertyValues("ratelimit.rules[0]." + property)
			.run((context) -> fails(context.getStartupFailure(), description));
	}

	static Stream<Arguments> namesAPropertyThatIsWrong() {
		return Stream.of(
				Arguments.of("policies=x,y",
						"rules[0].policies[1]' has the value 'y', but there is no policy named 'y'"),
				Arguments.of("policies=", "The property 'ratelimit.rules[0].policies' is missing"),
				Arguments.of("policies=orders",
						"rules[0].policies[0]' has the value 'orders', but there is no argument '#order'"),
				Arguments.of("paths=", "The property 'ratelimit.rules[0].paths' is missing"),
				Arguments.of("paths=api", "rules[0].paths[0]' has the value 'api', but a path begins with a slash"),
				Arguments.of("paths=/a/{b", "rules[0].paths[0]' has the value '/a/{b', but the pattern does not parse"),
				Arguments.of("paths=/a,/**/b/**/c",
						"rules[0].paths[1]' has the value '/**/b/**/c', but the pattern does not parse"),
				Arguments.of("methods=FETCH",
						"rules[0].methods[0]' has the value 'FETCH', but a method is one of [GET, "),
				Arguments.of("when=#request.", "rules[0].when' has the value '#request.', but the expression"),
				Arguments.of("when=#user == 'a'", "'#user' has no value before Spring Security; there are [#request]"),
				Arguments.of("when=T(Runtime) != null", "an expression here cannot use types"),
				Arguments.of("cost=6",
						"rules[0].cost' has the value '6', but 'cost' must be at most 5, the burst of limit 5/1m"),
				Arguments.of("cost=-1",
						"rules[0].cost' has the value '-1', but the cost '-1' must not be negative, was -1"));
	}

	@Test
	void namesACostThatOnlyTheReserveCouldAdmit() {
		servlet()
			.withPropertyValues("ratelimit.policies.rest.shares=x", "ratelimit.policies.rest.reserve=50%",
					"ratelimit.rules[0].policies=rest", "ratelimit.rules[0].cost=3")
			.run((context) -> fails(context.getStartupFailure(), "rules[0].cost' has the value '3', but "
					+ "'cost' must be at most 2, what the reserve leaves of the burst of limit 5/1m"));
	}

	@Test
	void startsWithRulesThatAreRight() {
		servlet().run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimitRules.class));
		reactive().run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimitRules.class));
	}

	@Test
	void namesAJitterThatIsNegative() {
		servlet().withPropertyValues("ratelimit.http.retry-after-jitter=-1s")
			.run((context) -> fails(context.getStartupFailure(),
					"'ratelimit.http.retry-after-jitter' must not be negative"));
	}

	private static WebApplicationContextRunner servlet() {
		return new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withPropertyValues(VALID);
	}

	private static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
			.withPropertyValues(VALID);
	}

	private static void fails(@Nullable Throwable failure, String description) {
		assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
			.filteredOn(InvalidRateLimitConfigurationException.class::isInstance)
			.singleElement()
			.asInstanceOf(type(InvalidRateLimitConfigurationException.class))
			.satisfies((invalid) -> assertThat(invalid).hasMessageContaining(description));
	}

}
