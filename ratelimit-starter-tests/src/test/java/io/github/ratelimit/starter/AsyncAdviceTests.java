package io.github.ratelimit.starter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.RateLimited;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asynchronous methods with a limit and with advice that works for their thread, of an
 * order before the limit.
 */
@Tag("long")
class AsyncAdviceTests {

	@ParameterizedTest
	@ValueSource(classes = { Unlimited.class, Limited.class })
	<T extends Jobs> void runsInTheTransactionOfItsThread(Class<T> type) {
		OtherAdvice.context().withBean(type).withUserConfiguration(EarlyAdvice.class).run((context) -> {
			CompletableFuture<Boolean> active = new CompletableFuture<>();
			context.getBean(Jobs.class).transacted(active);
			assertThat(active.join()).isTrue();
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { Unlimited.class, Limited.class })
	<T extends Jobs> void hasTheNameThatAnAspectGivesItsThread(Class<T> type) {
		OtherAdvice.context()
			.withBean(type)
			.withUserConfiguration(EarlyAdvice.class)
			.run((context) -> assertThat(name(context)).isEqualTo("job-1"));
	}

	@Test
	void leavesNoNameOnTheThreadThatWasDenied() {
		OtherAdvice.context()
			.withBean(Limited.class)
			.withUserConfiguration(EarlyAdvice.class)
			.withPropertyValues("ratelimit.policies.many.limits=1/1h")
			.run((context) -> {
				assertThat(name(context)).isEqualTo("job-1");
				assertThat(context.getBean(Jobs.class).named()).isCompletedExceptionally();
				assertThat(NamingAspect.NAMES.get()).isNull();
			});
	}

	private static String name(ApplicationContext context) {
		return context.getBean(Jobs.class).named().join();
	}

	interface Jobs {

		void transacted(CompletableFuture<Boolean> active);

		CompletableFuture<String> named();

	}

	static class Unlimited implements Jobs {

		@Override
		@Async
		@Transactional
		public void transacted(CompletableFuture<Boolean> active) {
			active.complete(TransactionSynchronizationManager.isActualTransactionActive());
		}

		@Override
		@Async
		public CompletableFuture<String> named() {
			return CompletableFuture.completedFuture(NamingAspect.NAMES.get());
		}

	}

	static class Limited implements Jobs {

		@Override
		@Async
		@Transactional
		@RateLimited("many")
		public void transacted(CompletableFuture<Boolean> active) {
			active.complete(TransactionSynchronizationManager.isActualTransactionActive());
		}

		@Override
		@Async
		@RateLimited("many")
		public CompletableFuture<String> named() {
			return CompletableFuture.completedFuture(NamingAspect.NAMES.get());
		}

	}

	@Aspect
	@Order(1)
	static class NamingAspect {

		static final ThreadLocal<String> NAMES = new ThreadLocal<>();

		@Around("execution(* io.github.ratelimit.starter.AsyncAdviceTests.Jobs.*(..))")
		Object named(ProceedingJoinPoint call) throws Throwable {
			NAMES.set("job-1");
			try {
				return call.proceed();
			}
			finally {
				NAMES.remove();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableTransactionManagement(order = 0)
	static class EarlyAdvice {

		@Bean
		PlatformTransactionManager transactions() {
			return new TracedAdvice.Transactions(new CopyOnWriteArrayList<>());
		}

		@Bean
		NamingAspect naming() {
			return new NamingAspect();
		}

	}

}
