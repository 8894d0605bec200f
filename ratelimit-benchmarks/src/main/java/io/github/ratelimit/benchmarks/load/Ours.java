package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.jdbc.JdbcStoreOptions;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.RedisStoreOptions;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A {@link RateLimiter} as the starter makes it, on a store with connections of its own.
 */
final class Ours implements Contender {

	static final String NAME = "this starter";

	static final String WITHOUT_SHORTCUTS = NAME + ", no shortcuts";

	static final String ON_POSTGRESQL = NAME + ", PostgreSQL";

	/** Long enough that a busy machine fails no call and no connection. */
	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final long PREFETCH = 1000;

	private final String name;

	private final Runnable atEnd;

	private final RateLimiter limiter;

	private String policy = Scenario.SPREAD.slug();

	private Ours(String name, RateLimitStore store, Function<Scenario, Policy> policy, Runnable atEnd) {
		this.name = name;
		this.limiter = new RateLimiter(new Policies(Stream.of(Scenario.values()).map(policy).toList()), store,
				List.of());
		this.atEnd = atEnd;
	}

	private static Ours onRedis(String name, LettuceConnectionFactory application,
			UnaryOperator<RedisRateLimitStore> options, Function<Scenario, Policy> policy) {
		application.afterPropertiesSet();
		RedisRateLimitStore store = options
			.apply(RedisRateLimitStore.dedicated(application, "ratelimit", TIMEOUT, TIMEOUT, "ratelimit:counts"));
		store.connect();
		return new Ours(name, store, policy, () -> {
			store.close();
			application.destroy();
		});
	}

	/** Returns this starter with its defaults, but the timeout, on PostgreSQL. */
	static Ours onPostgresql(String url, String user) {
		JdbcRateLimitStore store = JdbcRateLimitStore.on(url, user, null, "ratelimit:counts",
				JdbcStoreOptions.STANDARD.with(JdbcStoreOptions.STANDARD_POOL_SIZE, TIMEOUT));
		store.warmUp();
		return new Ours(ON_POSTGRESQL, store, Ours::tokenBucket, store::close);
	}

	/** Returns this starter with its defaults, on one server. */
	static Ours standard(int port) {
		return on(NAME, new LettuceConnectionFactory("127.0.0.1", port));
	}

	/** With every call decided on by a run of the script of its own. */
	static Ours withoutShortcuts(int port) {
		return onRedis(WITHOUT_SHORTCUTS, new LettuceConnectionFactory("127.0.0.1", port),
				(store) -> store.with(RedisStoreOptions.NONE), Ours::tokenBucket);
	}

	/**
	 * With permits taken in advance, of fixed windows: token buckets as full as those of
	 * these limits lend nothing.
	 */
	static Ours prefetching(int port) {
		return onRedis(NAME + ", prefetch", new LettuceConnectionFactory("127.0.0.1", port), UnaryOperator.identity(),
				Ours::prefetchedWindow);
	}

	/** Returns this starter with its defaults. */
	static Ours on(String name, LettuceConnectionFactory application) {
		return onRedis(name, application, UnaryOperator.identity(), Ours::tokenBucket);
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
		this.atEnd.run();
	}

	private static Policy tokenBucket(Scenario scenario) {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, new Rate(scenario.permits(), scenario.period()))
			.withBurst(scenario.burst());
		return policy(scenario, limit, 0);
	}

	private static Policy prefetchedWindow(Scenario scenario) {
		Rate rate = new Rate(scenario.burst(), scenario.period());
		return policy(scenario, Limit.of(Algorithm.FIXED_WINDOW, rate), Math.min(PREFETCH, scenario.burst()));
	}

	/** A store that fails is not to be mistaken for one that admits. */
	private static Policy policy(Scenario scenario, Limit limit, long prefetch) {
		return new Policy(scenario.slug(), List.of(limit), List.of("header:X-Api-Key"))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100).withPrefetch(prefetch));
	}

}
