package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Terms;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A {@link RateLimiter} as the starter makes it, on a {@link RedisRateLimitStore} with a
 * connection of its own.
 */
final class Ours implements Contender {

	static final String NAME = "this starter";

	/** Long enough that a busy machine fails no call. */
	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final String name;

	private final LettuceConnectionFactory application;

	private final RedisRateLimitStore store;

	private final RateLimiter limiter;

	private String policy = Scenario.SPREAD.slug();

	private Ours(String name, LettuceConnectionFactory application,
			Function<LettuceConnectionFactory, RedisRateLimitStore> store) {
		this.name = name;
		this.application = application;
		application.afterPropertiesSet();
		this.store = store.apply(application);
		this.store.connect();
		this.limiter = new RateLimiter(new Policies(Stream.of(Scenario.values()).map(Ours::policy).toList()),
				this.store, List.of());
	}

	/** As it comes, on one server. */
	static Ours standard(int port) {
		return on(NAME, new LettuceConnectionFactory("127.0.0.1", port));
	}

	/** As it comes. */
	static Ours on(String name, LettuceConnectionFactory application) {
		return new Ours(name, application,
				(connections) -> RedisRateLimitStore.beside(connections, "ratelimit", TIMEOUT, Duration.ofSeconds(1)));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.policy = scenario.slug();
	}

	@Override
	public boolean acquire(String key) {
		return this.limiter.acquire(Charge.of(this.policy, key)).allowed();
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return this.limiter.acquireAsync(Charge.of(this.policy, key)).thenApply(Decision::allowed);
	}

	@Override
	public void close() {
		this.store.close();
		this.application.destroy();
	}

	private static Policy policy(Scenario scenario) {
		Rate rate = new Rate(scenario.permits(), scenario.period());
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, rate).withBurst(scenario.burst());
		return new Policy(scenario.slug(), List.of(limit), List.of("header:X-Api-Key"))
			.withTerms(Terms.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100));
	}

}
