package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.CallsContract;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Calls whose counts are in Redis, with cached denials. It decides by a clock of the
 * test, and by its own when keys expire.
 */
class CallsIT extends CallsContract {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	private final AtomicLong clock = new AtomicLong();

	private final RedisRateLimitStore store = RedisRateLimitStore.on(CONNECTIONS, "calls", Duration.ofSeconds(10))
		.at(this.clock::get)
		.with(RedisStoreOptions.STANDARD);

	@Override
	protected RateLimitStore store() {
		return this.store;
	}

	@Override
	protected void setClock(long micros) {
		this.clock.set(micros);
	}

	@Override
	protected boolean remembersDenials() {
		return true;
	}

	/** Keys live for half a second longer than their counts. */
	@Override
	protected Duration longestUse() {
		return Duration.ofMillis(200);
	}

}
