package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreContract;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RedisRateLimitStoreIT {

	private static final LettuceConnectionFactory LETTUCE = started(new LettuceConnectionFactory(redis()));

	private static final JedisConnectionFactory JEDIS = started(new JedisConnectionFactory(redis()));

	private static final RedisRateLimitStore DEDICATED = RedisRateLimitStore.dedicated(LETTUCE, "test",
			Duration.ofSeconds(5), Duration.ofSeconds(5), "test:counts");

	@AfterAll
	static void disconnect() {
		DEDICATED.close();
		LETTUCE.destroy();
		JEDIS.destroy();
	}

	/** The factory was given a configuration of no particular kind. */
	@Test
	void usesAFactoryWhoseAddressesCannotBeRead() {
		RedisConfiguration anywhere = redis();
		LettuceConnectionFactory application = started(new LettuceConnectionFactory(anywhere));
		try (RedisRateLimitStore store = RedisRateLimitStore.dedicated(application, "kept", Duration.ofSeconds(5),
				Duration.ofSeconds(5), "kept:counts"); RedisConnection connection = application.getConnection()) {
			Limit limit = Limit.parse("1/1s", Algorithm.TOKEN_BUCKET);
			store.execute(new StoreRequest(StoreOperation.ACQUIRE,
					List.of(new PermitRequest(new PolicyLimit("quotes", "quotes", 0, limit, 0), "a", 1, 0))));
			assertThat(connection.keyCommands().keys("kept:*".getBytes(StandardCharsets.US_ASCII))).hasSize(1);
		}
		finally {
			application.destroy();
		}
	}

	@Nested
	class OnADedicatedConnection extends RateLimitStoreContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return DEDICATED.at(clock);
		}

	}

	@Nested
	@Tag("long")
	class OnJedis extends RateLimitStoreContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return RedisRateLimitStore.on(JEDIS, "test", Duration.ofSeconds(5)).at(clock);
		}

	}

	private static RedisStandaloneConfiguration redis() {
		return new RedisStandaloneConfiguration(TestRedis.shared().host(), TestRedis.shared().port());
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	private static JedisConnectionFactory started(JedisConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
