package io.github.ratelimit.faults;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.redis.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreRequest;
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
 * An instance of an application with one policy for each {@code on-store-failure}, of
 * twenty calls an hour. An instance on its own admits half of that.
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
					"ratelimit.redis.controls=false", "ratelimit.policies.open.limits=20/1h",
					"ratelimit.policies.open.on-store-failure=allow", "ratelimit.policies.strict.limits=20/1h",
					"ratelimit.policies.strict.on-store-failure=deny", "ratelimit.policies.share.limits=20/1h",
					"ratelimit.policies.share.on-store-failure=local", "ratelimit.policies.share.local-share=50")
			.run());
	}

	Decision call(String policy, String key) {
		return this.limiter.acquire(Charge.of(policy, key));
	}

	/**
	 * Returns whether the store decides, as policies that let calls through have no
	 * limits without it.
	 */
	boolean enforces() {
		return !this.limiter.peek(List.of(Charge.of("open", "other"))).limits().isEmpty();
	}

	/** Returns the number of calls of a policy with an outcome. */
	long outcomes(String policy, String outcome) {
		return (long) Search.in(this.context.getBean(MeterRegistry.class))
			.name("ratelimit.requests")
			.tags("policy", policy, "outcome", outcome)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	/** Returns a store that makes calls of a policy. */
	PolicyCalls calls(String policy) {
		return new PolicyCalls(this, policy);
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** A store that makes calls of one policy. */
	static final class PolicyCalls implements RateLimitStore {

		private final Map<String, AtomicLong> admitted = new ConcurrentHashMap<>();

		private final Instance instance;

		private final String policy;

		private PolicyCalls(Instance instance, String policy) {
			this.instance = instance;
			this.policy = policy;
		}

		long admitted(String key) {
			return this.admitted.computeIfAbsent(key, (missing) -> new AtomicLong()).get();
		}

		@Override
		public String name() {
			return "instance";
		}

		@Override
		public Decision execute(StoreRequest request) {
			String key = request.permits().get(0).key();
			Decision decision = this.instance.call(this.policy, key);
			this.admitted.computeIfAbsent(key, (missing) -> new AtomicLong()).addAndGet(decision.allowed() ? 1 : 0);
			return decision;
		}

		@Override
		public CompletionStage<Decision> executeAsync(StoreRequest request) {
			return CompletableFuture.completedFuture(execute(request));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
			RateLimitStoreAutoConfiguration.class, RateLimitAutoConfiguration.class,
			RateLimitMetricsAutoConfiguration.class })
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
