package io.github.ratelimit.benchmarks.load;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's {@link RRateLimiter}, which has no burst besides its rate, and whose rate
 * must be set before calls.
 */
final class Redisson implements Contender {

	private final RedissonClient client;

	private final Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

	Redisson(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		this.client = org.redisson.Redisson.create(config);
	}

	@Override
	public String name() {
		return "Redisson";
	}

	@Override
	public void prepare(Scenario scenario) {
		this.limiters.clear();
		CompletableFuture
			.allOf(scenario.keys()
				.stream()
				.map(this::limiter)
				.map((limiter) -> limiter.trySetRateAsync(RateType.OVERALL, scenario.permits(), scenario.period())
					.toCompletableFuture())
				.toArray(CompletableFuture<?>[]::new))
			.join();
	}

	@Override
	public boolean acquire(String key) {
		return limiter(key).tryAcquire();
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return limiter(key).tryAcquireAsync();
	}

	@Override
	public void close() {
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
	}

	private RRateLimiter limiter(String key) {
		return this.limiters.computeIfAbsent(key, (name) -> this.client.getRateLimiter("redisson:" + name));
	}

}
