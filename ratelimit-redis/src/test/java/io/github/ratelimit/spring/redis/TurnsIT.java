package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TurnsContract;
import org.junit.jupiter.api.AfterAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis with calls whose limits have different turns. */
class TurnsIT extends TurnsContract {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return RedisRateLimitStore.on(CONNECTIONS, "turns", Duration.ofSeconds(10)).at(clock);
	}

}
