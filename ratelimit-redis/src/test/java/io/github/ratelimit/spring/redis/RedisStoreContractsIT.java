package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.StoreContracts;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Tests that Redis keeps all contracts. It decides by a clock of the test, and by its own
 * when keys expire.
 */
@Tag("long")
class RedisStoreContractsIT extends StoreContracts {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Override
	protected RateLimitStore store(String counts, LongSupplier clock) {
		return RedisRateLimitStore.on(CONNECTIONS, counts, Duration.ofSeconds(10)).at(clock);
	}

	/** Keys live for half a second longer than their counts. */
	@Override
	protected Duration longestUse() {
		return Duration.ofMillis(200);
	}

}
