package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RefundsContract;
import org.junit.jupiter.api.AfterAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Refunds of counts that are in Redis. */
class RefundsIT extends RefundsContract {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return RedisRateLimitStore.on(CONNECTIONS, "refunds", Duration.ofSeconds(10)).at(clock);
	}

}
