package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.grpc.GrpcCallerSource;
import io.github.ratelimit.spring.grpc.RateLimitServerInterceptor;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.ServletCallerSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class RateLimitGrpcAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=2/1m",
				"ratelimit.policies.users.limits=2/1m");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"ratelimit.grpc.policies=call | 'ratelimit.grpc.policies' has the value '[call]', but there is no policy named 'call'",
			"ratelimit.policies.calls.key=#id | 'ratelimit.grpc.policies' has the value '[calls]', but ",
			"ratelimit.policies.calls.key=form:id | but 'form:id' is a key of rules alone",
			"ratelimit.grpc.policy=calls | The property 'ratelimit.grpc.policy' does not exist" })
	void stopsTheStartUpByAMistake(String property, String message) {
		this.context.withPropertyValues("ratelimit.grpc.policies=calls", property)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(InvalidRateLimitConfigurationException.class.getName())
				.hasStackTraceContaining(message));
	}

	@Test
	void admitsTheRequestAndTheUserOfACallInAnExpression() {
		this.context
			.withPropertyValues("ratelimit.grpc.policies=calls", "ratelimit.policies.calls.key=#request.path",
					"ratelimit.policies.calls.plan=#user.claim('plan')")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void takesPoliciesThatThePropertyNamesForUsed() {
		this.context.withPropertyValues("ratelimit.grpc.policies=calls")
			.run((context) -> assertThat(context.getBean(Findings.class).all())
				.filteredOn((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
				.extracting(Finding::subject)
				.containsExactly("users"));
	}

	@Test
	void leavesServletsTheirCallers() {
		new WebApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context.getBeanProvider(CallerSource.class).orderedStream())
				.<Class<?>>extracting(Object::getClass)
				.containsSubsequence(GrpcCallerSource.class, ServletCallerSource.class));
	}

	@Test
	void limitsNothingWhereTurnedOff() {
		this.context.withPropertyValues("ratelimit.enabled=false", "ratelimit.grpc.policies=calls")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitServerInterceptor.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.grpc", "io.grpc", "io.grpc.protobuf" })
	void startsWithoutGrpc(String missing) {
		this.context.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitServerInterceptor.class));
	}

	@Test
	void startsWithoutSpringSecurity() {
		this.context.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimitServerInterceptor.class));
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
