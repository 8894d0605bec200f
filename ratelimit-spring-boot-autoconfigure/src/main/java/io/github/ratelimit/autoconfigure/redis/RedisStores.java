package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;

import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.DenialCache;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Redis;
import io.github.ratelimit.autoconfigure.store.Stores;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.RedisStoreOptions;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The stores in Redis. They have dedicated connections to the Redis of the application,
 * or share the application's.
 */
final class RedisStores implements Stores {

	private static final String PREFIX = "ratelimit.redis.";

	/**
	 * The attempts to connect. The first is slow on a busy machine, as it loads classes.
	 */
	private static final int ATTEMPTS = 3;

	private static final Set<Kind> UNSURE = EnumSet.of(Kind.TIMEOUT, Kind.CONNECTION);

	private final String connection;

	private final RedisConnectionFactory connections;

	private final Redis properties;

	private final RedisNames names;

	private final boolean dedicated;

	private volatile @Nullable RedisRateLimitStore counts;

	/**
	 * Creates stores.
	 * @param connection the name of the bean that connects
	 * @param connections the connections of the application
	 * @param names the names of keys and connections
	 * @param dedicated whether the stores have connections of their own, with Lettuce
	 */
	RedisStores(String connection, RedisConnectionFactory connections, Redis properties, RedisNames names,
			boolean dedicated) {
		this.connection = connection;
		this.connections = connections;
		this.properties = valid(properties);
		this.names = names;
		this.dedicated = dedicated;
	}

	@Override
	public String place() {
		return "in Redis (bean '" + this.connection + "')";
	}

	@Override
	public String connection() {
		return this.connection;
	}

	@Override
	public Duration connectTimeout() {
		return this.properties.connectTimeout();
	}

	@Override
	public RedisRateLimitStore counts() {
		RedisRateLimitStore store = connected().with(options(this.properties.denialCache()));
		if (this.properties.failFast()) {
			connect(store);
		}
		store.warmUp();
		this.counts = store;
		return store;
	}

	@Override
	public ControlStore controls() {
		if (!this.properties.controls()) {
			return new MemoryControlStore(InstantSource.system());
		}
		boolean own = this.dedicated && this.connections instanceof LettuceConnectionFactory lettuce
				&& DedicatedConnectionFactory.canBeLike(lettuce);
		return new RedisControlStore(
				own ? DedicatedConnectionFactory.like((LettuceConnectionFactory) this.connections,
						this.properties.connectTimeout(), this.names.controlsClient()) : this.connections,
				this.names.prefix());
	}

	@Override
	public TopExchange topExchange() {
		return new RedisTopExchange(this.connections, this.names.prefix());
	}

	@Override
	public void start(Policies policies, Findings findings) throws InterruptedException {
		RedisRateLimitStore store = this.counts;
		if (store != null) {
			store.countInstancesWhile(policies::haveAutoShares);
			store.afterFirstReply(
					new RedisChecks(this.connections, this.names, this.properties.timeout(), findings)::run);
			store.preload(policies, connectTimeout());
		}
	}

	private RedisRateLimitStore connected() {
		return (this.dedicated && this.connections instanceof LettuceConnectionFactory lettuce)
				? RedisRateLimitStore.dedicated(lettuce, this.names.prefix(), this.properties.timeout(),
						this.properties.connectTimeout(), this.names.countsClient())
				: RedisRateLimitStore.on(this.connections, this.names.prefix(), this.properties.timeout());
	}

	private RedisStoreOptions options(DenialCache denials) {
		return new RedisStoreOptions(this.properties.coalesce(), denials.enabled() ? denials.maxKeys() : 0,
				denials.maxAge());
	}

	private static void connect(RedisRateLimitStore store) {
		RateLimitStoreException failure = failure(store);
		for (int attempt = 2; attempt <= ATTEMPTS && failure != null && UNSURE.contains(failure.getKind()); attempt++) {
			failure = failure(store);
		}
		if (failure != null) {
			store.close();
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.redis.fail-fast' is 'true', and Redis "
							+ ((failure.getReply() != null) ? "was reached but refused: " : "cannot be reached: ")
							+ StoreFailure.of(failure).reason(),
					"Start Redis, correct 'spring.data.redis', or set 'ratelimit.redis.fail-fast' to 'false'.",
					failure);
		}
	}

	private static @Nullable RateLimitStoreException failure(RedisRateLimitStore store) {
		try {
			store.connect();
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex;
		}
	}

	private static Redis valid(Redis redis) {
		requireMillis("timeout", redis.timeout());
		requireMillis("connect-timeout", redis.connectTimeout());
		DenialCache denials = redis.denialCache();
		PropertyRange.require(denials.maxKeys() >= 1, PREFIX + "denial-cache.max-keys", "be at least 1",
				denials.maxKeys());
		requireMillis("denial-cache.max-age", denials.maxAge());
		return redis;
	}

	private static void requireMillis(String name, Duration duration) {
		PropertyRange.require(duration.toMillis() >= 1, PREFIX + name, "be at least 1ms", duration);
	}

}
