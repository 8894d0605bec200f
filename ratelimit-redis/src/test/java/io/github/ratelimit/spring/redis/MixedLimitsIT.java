package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.MixedLimitsContract;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis that is shared by instances with different configurations. */
@Tag("long")
class MixedLimitsIT extends MixedLimitsContract {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return RedisRateLimitStore.on(CONNECTIONS, "mixed", Duration.ofSeconds(10)).at(clock);
	}

}
