package io.github.ratelimit.spring.method;

import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

class UselessAnnotationTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.two.limits=2/1h");

	@Test
	void refusesMethodsThatSpringCallsAlone() {
		assertRefused(Beans.class, "because it creates a bean", "Put the annotation on the class of the bean");
		assertRefused(Handler.class, "because it handles exceptions: a denial would replace one",
				"Put the annotation on the methods that fail");
	}

	@Test
	void leavesCallbacksOfSpringOutOfALimitedClass() {
		this.context.withBean(LimitedController.class).run((context) -> {
			LimitedController controller = context.getBean(LimitedController.class);
			for (int call = 0; call < 5; call++) {
				controller.handle();
				controller.prepare();
			}
			controller.serve();
			controller.serve();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(controller::serve);
		});
	}

	@Test
	void refusesFuturesThatDoNotTellTheEndOfACall() {
		assertRefused(HoldingFuture.class, "does not tell when the call ends", "Return a CompletableFuture");
		assertRefused(RefundedFuture.class, "does not tell when the call ends", "Return a CompletableFuture");
		this.context.withBean(CountedFuture.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void takesMocksThatATestRegisters() {
		this.context.withInitializer(
				(context) -> context.getBeanFactory().registerSingleton("mock", Mockito.mock(LimitedController.class)))
			.withBean("mock", LimitedController.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void refusesFinalClasses() {
		assertRefused(FinalClass.class, "FinalClass, because it is final and has no proxy", "Remove 'final'");
		assertRefused(FinalRecord.class, "FinalRecord, because it is final and has no proxy", "a class rather than a");
	}

	@Test
	void takesFinalClassesWithAnInterfaceThatAProxyHas() throws NoSuchMethodException {
		RateLimitAdvisor advisor = new RateLimitAdvisor(() -> {
			throw new IllegalStateException("called");
		}, 0, false);
		assertThat(advisor.getPointcut()
			.getMethodMatcher()
			.matches(FinalRecord.class.getDeclaredMethod("run"), FinalRecord.class)).isTrue();
	}

	@Test
	void refusesPlaceholdersThatNothingReplaces() {
		assertRefused(Placeholder.class, "has the text '${no.such.property}', but", "${name:default}");
	}

	private void assertRefused(Class<?> type, String problem, String action) {
		this.context.withBean(type).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause))
				.filteredOn(InvalidRateLimitConfigurationException.class::isInstance)
				.singleElement()
				.asInstanceOf(type(InvalidRateLimitConfigurationException.class))
				.satisfies((ex) -> {
					assertThat(ex).hasMessageContaining(problem).hasMessageContaining(type.getSimpleName());
					assertThat(ex.getAction()).contains(action);
				});
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		@RateLimited("two")
		String text() {
			return "";
		}

	}

	static class Handler {

		@ExceptionHandler(IllegalStateException.class)
		@RateLimited("two")
		void handle() {
		}

	}

	@RateLimited("two")
	static class LimitedController {

		@ExceptionHandler(IllegalStateException.class)
		void handle() {
		}

		@ModelAttribute
		void prepare() {
		}

		@GetMapping("/")
		@ModelAttribute
		void serve() {
		}

	}

	static final class FinalClass {

		@RateLimited("two")
		void call() {
		}

	}

	record FinalRecord() implements Runnable {

		@Override
		@RateLimited("two")
		public void run() {
		}

	}

	static class Placeholder {

		@RateLimited(policy = "${no.such.property}")
		void call() {
		}

	}

	static class HoldingFuture {

		@RateLimited(limit = "2 concurrent")
		Future<String> call() {
			return new FutureTask<>(() -> "future");
		}

	}

	static class RefundedFuture {

		@RateLimited(limit = "2/1m", refundOn = IllegalStateException.class)
		Future<String> call() {
			return new FutureTask<>(() -> "future");
		}

	}

	static class CountedFuture {

		@RateLimited(limit = "2/1m")
		Future<String> call() {
			return new FutureTask<>(() -> "future");
		}

	}

}
