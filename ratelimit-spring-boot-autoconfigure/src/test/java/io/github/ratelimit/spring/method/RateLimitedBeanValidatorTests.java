package io.github.ratelimit.spring.method;

import java.lang.reflect.Proxy;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitedBeanValidatorTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.two.limits=2/1h");

	@Test
	void refusesMethodsThatNoProxyCanStandBefore() {
		assertRefused(PrivateMethod.class, "because it is private", "Remove 'private'");
		assertRefused(FinalMethod.class, "because it is final", "Remove 'final'");
		assertRefused(StaticMethod.class, "because it is static", "Remove 'static'");
		assertRefused(FinalMethodOfClass.class, "because it is final", "Remove 'final'");
	}

	@Test
	void refusesAnnotationsThatSayNothing() {
		assertRefused(NoPolicy.class, "it names no policy and states no limit", "NoPolicy.call");
	}

	@Test
	void refusesLimitsThatAreNone() {
		assertRefused(BadLimit.class, "a limit is written permits/period", "BadLimit.call");
	}

	@Test
	void refusesTwoInlineLimitsOfOneName() {
		assertRefused(Overloads.class, "another limit is named 'Overloads.call' already; give this one a name",
				"Overloads.call");
	}

	@ParameterizedTest
	@ValueSource(strings = { BeanDefinition.SCOPE_PROTOTYPE, BeanDefinition.SCOPE_SINGLETON })
	void looksAtBeansThatAreNotMadeYet(String scope) {
		this.context.withBean(NoPolicy.class, NoPolicy::new, (definition) -> {
			definition.setScope(scope);
			definition.setLazyInit(true);
		}).run((context) -> assertThat(context).hasFailed());
	}

	/** Quartz creates jobs in this way. */
	@Test
	void looksAtObjectsWithoutABeanIfTheirClassIsOneToo() {
		this.context.run((context) -> {
			assertThat(context.getBean(Findings.class).all()).extracting(Finding::kind).contains(Kind.UNUSED_POLICY);
			Limited object = context.getAutowireCapableBeanFactory().createBean(Limited.class);
			object.call();
			object.call();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(object::call);
		});
		this.context.withBean(Limited.class)
			.run((context) -> assertThat(context.getBean(Findings.class).all()).isEmpty());
	}

	@Test
	void refusesToStartWithoutProxies() {
		this.context.withPropertyValues("spring.aop.auto=false")
			.withBean("limited", Limited.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOf(InvalidRateLimitConfigurationException.class)
				.hasMessageContaining("does not take effect on bean 'limited'")
				.hasMessageContaining("because it has no proxy"));
	}

	@Test
	void limitsProxiesOfInterfaces() {
		this.context.withBean(Client.class, RateLimitedBeanValidatorTests::client).run((context) -> {
			assertThat(context.getBean(Client.class).call()).isEqualTo("called");
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> context.getBean(Client.class).call());
		});
	}

	@Test
	void countsInlineLimitsOfOneMethodApart() {
		this.context.withBean(TwoInline.class).run((context) -> {
			TwoInline bean = context.getBean(TwoInline.class);
			bean.call("alice");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> bean.call("alice"));
			bean.call("bob");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> bean.call("carol"));
		});
	}

	private void assertRefused(Class<?> type, String problem, String action) {
		this.context.withBean(type).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOfSatisfying(InvalidRateLimitConfigurationException.class,
					(ex) -> {
						assertThat(ex).hasMessageContaining(problem).hasMessageContaining(type.getSimpleName());
						assertThat(ex.getAction()).contains(action);
					});
		});
	}

	private static Client client() {
		return (Client) Proxy.newProxyInstance(Client.class.getClassLoader(), new Class<?>[] { Client.class },
				(proxy, method, arguments) -> method.getName().equals("call") ? "called" : null);
	}

	interface Client {

		@RateLimited(limit = "1/1h")
		String call();

	}

	static class Limited {

		@RateLimited("two")
		void call() {
		}

	}

	static class PrivateMethod {

		@SuppressWarnings("UnusedMethod")
		@RateLimited("two")
		private void call() {
		}

	}

	static class FinalMethod {

		@RateLimited("two")
		final void call() {
		}

	}

	static class StaticMethod {

		@RateLimited("two")
		static void call() {
		}

	}

	@RateLimited("two")
	static class FinalMethodOfClass {

		public final void call() {
		}

	}

	static class NoPolicy {

		@RateLimited
		void call() {
		}

	}

	static class BadLimit {

		@RateLimited(limit = "often")
		void call() {
		}

	}

	static class Overloads {

		@RateLimited(limit = "1/1h")
		void call() {
		}

		@RateLimited(limit = "2/1h")
		void call(String text) {
		}

	}

	static class TwoInline {

		@RateLimited(limit = "1/1h", key = "#user")
		@RateLimited(limit = "2/1h")
		void call(String user) {
		}

	}

}
