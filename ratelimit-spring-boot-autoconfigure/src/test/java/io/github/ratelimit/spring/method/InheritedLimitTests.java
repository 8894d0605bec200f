package io.github.ratelimit.spring.method;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Inline limits of a superclass or an interface, which count each class of beans for
 * itself.
 */
class InheritedLimitTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory();

	@Test
	void countEachClassOfBeansForItself() {
		this.context.withBean(Apples.class).withBean(Pears.class).run((context) -> {
			for (Class<? extends Fruits> type : List.of(Apples.class, Pears.class)) {
				Fruits fruits = context.getBean(type);
				fruits.list();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(fruits::list);
				fruits.find();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(fruits::find);
			}
			assertThat(names(context)).containsExactlyInAnyOrder("Apples", "Apples.list", "Apples.find", "Pears",
					"Pears.list", "Pears.find");
		});
	}

	@Test
	void countBeansOfOneClassTogether() {
		this.context.withBean("first", Apples.class).withBean("second", Apples.class).run((context) -> {
			context.getBean("first", Apples.class).list();
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> context.getBean("second", Apples.class).list());
		});
	}

	@Test
	void haveTheNameOfTheAnnotatedClassForAClassWithoutOne() {
		this.context.withBean(Fruits.class, () -> new Fruits() {
		}).run((context) -> assertThat(names(context)).containsExactlyInAnyOrder("Fruits", "Fruits.list", "Find.find"));
	}

	/** Repositories of Spring Data are such proxies. */
	@Test
	void haveTheNameOfTheInterfaceForAProxyWithATargetOfAnotherType() {
		this.context.withBean(Find.class, InheritedLimitTests::proxy).run((context) -> {
			context.getBean(Find.class).find();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(context.getBean(Find.class)::find);
			assertThat(names(context)).containsExactly("Find.find");
		});
	}

	private static Find proxy() {
		ProxyFactory factory = new ProxyFactory(Find.class, (MethodInterceptor) (call) -> null);
		factory.setTarget("another");
		return (Find) factory.getProxy();
	}

	@Test
	void areRefusedForTwoClassesOfOneName() {
		this.context.withBean(Apples.class)
			.withBean(Other.Apples.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("another limit is named 'Apples' already; give this one a name"));
	}

	private static Iterable<String> names(ApplicationContext context) {
		return context.getBean(Policies.class).all().stream().map(Policy::name).toList();
	}

	interface Find {

		@RateLimited(limit = "1/1h")
		void find();

	}

	@RateLimited(limit = "3/1h")
	abstract static class Fruits implements Find {

		@RateLimited(limit = "1/1h")
		void list() {
		}

		@Override
		public void find() {
		}

	}

	static class Apples extends Fruits {

	}

	static class Pears extends Fruits {

	}

	static class Other {

		static class Apples extends Fruits {

		}

	}

}
