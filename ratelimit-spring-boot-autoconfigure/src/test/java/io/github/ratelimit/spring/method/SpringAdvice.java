package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * All that Spring Framework puts around methods by annotations, and how often a limit was
 * decided next to it.
 */
@Configuration(proxyBeanMethods = false)
@EnableResilientMethods
@EnableAsync
@EnableCaching
@EnableTransactionManagement
public class SpringAdvice implements RateLimitListener {

	final AtomicInteger decisions = new AtomicInteger();

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		this.decisions.incrementAndGet();
	}

	@Bean
	CacheManager caches() {
		return new ConcurrentMapCacheManager();
	}

	@Bean
	Transactions transactions() {
		return new Transactions();
	}

	/**
	 * Transactions of nothing, which are counted.
	 */
	static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		final transient AtomicInteger begun = new AtomicInteger();

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.begun.incrementAndGet();
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
