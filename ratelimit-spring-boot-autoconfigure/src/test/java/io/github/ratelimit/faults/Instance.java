package io.github.ratelimit.faults;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An instance of an application with one policy for each thing to do while the store
 * fails, of twenty calls an hour; an instance alone admits half of it.
 */
final class Instance implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final RateLimiter limiter;

	private Instance(ConfigurableApplicationContext context) {
		this.context = context;
		this.limiter = context.getBean(RateLimiter.class);
	}

	static Instance on(int port) {
		return new Instance(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port,
					"ratelimit.policies.open.limits=20/1h", "ratelimit.policies.strict.limits=20/1h",
					"ratelimit.policies.strict.on-store-failure=deny", "ratelimit.policies.share.limits=20/1h",
					"ratelimit.policies.share.on-store-failure=local", "ratelimit.policies.share.local-share=50")
			.run());
	}

	Decision call(String policy, String key) {
		return this.limiter.acquire(Charge.of(policy, key));
	}

	/** Whether the store decides, which alone knows of limits that let calls through. */
	boolean enforces() {
		return !this.limiter.peek(List.of(Charge.of("open", "nobody"))).limits().isEmpty();
	}

	/** How many calls of a policy had an outcome. */
	long outcomes(String policy, String outcome) {
		return (long) Search.in(this.context.getBean(MeterRegistry.class))
			.name("ratelimit.requests")
			.tags("policy", policy, "outcome", outcome)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	/** Calls of a policy, for a load that says by whom. */
	Calls calls(String policy) {
		return new Calls(this, policy);
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Calls of one policy, in the place of a store.
	 */
	static final class Calls implements RateLimitStore {

		private final Map<String, AtomicLong> admitted = new ConcurrentHashMap<>();

		private final Instance instance;

		private final String policy;

		private Calls(Instance instance, String policy) {
			this.instance = instance;
			this.policy = policy;
		}

		long admitted(String key) {
			return this.admitted.computeIfAbsent(key, (somebody) -> new AtomicLong()).get();
		}

		@Override
		public String name() {
			return "instance";
		}

		@Override
		public Decision execute(Operation operation, List<Debit> debits) {
			String key = debits.get(0).key();
			Decision decision = this.instance.call(this.policy, key);
			this.admitted.computeIfAbsent(key, (somebody) -> new AtomicLong()).addAndGet(decision.allowed() ? 1 : 0);
			return decision;
		}

		@Override
		public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
			return CompletableFuture.completedFuture(execute(operation, debits));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class })
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
