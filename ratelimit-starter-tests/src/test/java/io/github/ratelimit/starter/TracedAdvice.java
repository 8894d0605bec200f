package io.github.ratelimit.starter;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.task.TaskExecutor;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.support.CompletionRegisteringAdvisor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.mockito.BDDMockito.mock;

/**
 * Advice of others that records when it runs, on the thread that calls. Transactions,
 * caches and the aspects have orders of the test.
 */
@Configuration(proxyBeanMethods = false)
@EnableResilientMethods
@EnableAsync
@EnableCaching
@EnableTransactionManagement
class TracedAdvice implements RateLimitListener {

	final List<String> trace = new ArrayList<>();

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		this.trace.add("limit");
	}

	@Bean
	static BeanFactoryPostProcessor orders(Orders orders) {
		return (beans) -> {
			beans.getBeanDefinition("org.springframework.transaction.config.internalTransactionAdvisor")
				.getPropertyValues()
				.add("order", orders.of("transaction"));
			beans.getBeanDefinition("org.springframework.cache.config.internalCacheAdvisor")
				.getPropertyValues()
				.add("order", orders.of("cache"));
		};
	}

	@Bean
	TaskExecutor taskExecutor() {
		return (task) -> {
			this.trace.add("async");
			task.run();
		};
	}

	@Bean
	CacheManager caches() {
		return new ConcurrentMapCacheManager();
	}

	@Bean
	KeyGenerator traced() {
		return (target, method, arguments) -> {
			this.trace.add("cache");
			return target;
		};
	}

	@Bean
	Transactions transactions() {
		return new Transactions(this.trace);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static CompletionRegisteringAdvisor completion(ObjectProvider<TracedAdvice> traced) {
		return new CompletionRegisteringAdvisor(() -> mock(EventPublicationRegistry.class, (call) -> {
			if (call.getMethod().getName().equals("markProcessing")) {
				traced.getObject().trace.add("completion");
			}
			return null;
		}));
	}

	@Bean
	FirstAspect first(Orders orders) {
		return new FirstAspect(this.trace, orders.of("first"));
	}

	@Bean
	SecondAspect second(Orders orders) {
		return new SecondAspect(this.trace, orders.of("second"));
	}

	/** The orders of advice by names. */
	record Orders(Map<String, Integer> byName) {

		int of(String name) {
			return this.byName.getOrDefault(name, Ordered.LOWEST_PRECEDENCE);
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface First {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Second {

	}

	@Aspect
	record FirstAspect(List<String> trace, int order) implements Ordered {

		@Before("@annotation(io.github.ratelimit.starter.TracedAdvice.First)")
		public void before() {
			this.trace.add("first");
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

	@Aspect
	record SecondAspect(List<String> trace, int order) implements Ordered {

		@Before("@annotation(io.github.ratelimit.starter.TracedAdvice.Second)")
		public void before() {
			this.trace.add("second");
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

	/** Transactions of nothing. */
	static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient List<String> trace;

		Transactions(List<String> trace) {
			this.trace = trace;
		}

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.trace.add("transaction");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
