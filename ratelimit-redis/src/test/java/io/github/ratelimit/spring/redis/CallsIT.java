package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.CallsContract;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Calls whose counts are in Redis. It decides by a clock of the test, and by its own when
 * keys expire.
 */
class CallsIT {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	abstract static class Contract extends CallsContract {

		private final AtomicLong clock = new AtomicLong();

		final RedisRateLimitStore store = RedisRateLimitStore.on(CONNECTIONS, "calls", Duration.ofSeconds(10))
			.at(this.clock::get);

		@Override
		protected RateLimitStore store() {
			return this.store;
		}

		@Override
		protected void setClock(long micros) {
			this.clock.set(micros);
		}

		/** Keys live for half a second longer than their counts. */
		@Override
		protected Duration longestUse() {
			return Duration.ofMillis(200);
		}

	}

	@Nested
	class WithoutDenials extends Contract {

	}

	@Nested
	class WithCachedDenials extends Contract {

		@Override
		protected RateLimitStore store() {
			return this.store.with(RedisStoreOptions.STANDARD);
		}

		@Override
		protected boolean remembersDenials() {
			return true;
		}

	}

}
