package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RedisRateLimitStoreIT {

	private static final LettuceConnectionFactory LETTUCE = started(new LettuceConnectionFactory(redis()));

	private static final JedisConnectionFactory JEDIS = started(new JedisConnectionFactory(redis()));

	private static final RedisRateLimitStore OWN = RedisRateLimitStore.beside(LETTUCE, "test", Duration.ofSeconds(5),
			Duration.ofSeconds(5));

	@AfterAll
	static void disconnect() {
		OWN.close();
		LETTUCE.destroy();
		JEDIS.destroy();
	}

	/** A factory that was given a configuration of no particular kind. */
	@Test
	void leadsWhereAFactoryLeadsThatKeepsItToItself() {
		RedisConfiguration anywhere = redis();
		LettuceConnectionFactory application = started(new LettuceConnectionFactory(anywhere));
		try (RedisRateLimitStore store = RedisRateLimitStore.beside(application, "test", Duration.ofSeconds(5),
				Duration.ofSeconds(5))) {
			store.connect();
			assertThat(TestRedis.shared().port()).isNotEqualTo(6379);
		}
		finally {
			application.destroy();
		}
	}

	@Nested
	class OnLettuce extends RateLimitStoreContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return RedisRateLimitStore.on(LETTUCE, "test", Duration.ofSeconds(5)).at(clock);
		}

	}

	@Nested
	class OnItsOwnConnection extends RateLimitStoreContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return OWN.at(clock);
		}

	}

	@Nested
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
