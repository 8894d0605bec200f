package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.CallsContract;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.InstanceClock;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * Calls that a Redis decides by its own clock, which is that of the test, so that hours
 * pass between calls and keys expire. The clock of the instance is an hour ahead or
 * behind at most.
 */
@Tag("slow")
class VirtualClockIT extends CallsContract {

	private static final SteppedClock CLOCK = SteppedClock.compile();

	private static final RedisProcess REDIS = CLOCK.redis();

	private static final RedisRateLimitStore STORE = Stores.patient(REDIS.port());

	private final AtomicLong instanceMillis = new AtomicLong();

	private final Random skews = new Random(42);

	private long skewMillis;

	@AfterAll
	static void stop() {
		STORE.close();
		REDIS.close();
	}

	@Override
	protected RateLimitStore store() {
		long hour = Duration.ofHours(1).toMillis();
		this.skewMillis = this.skews.nextLong(-hour, hour + 1);
		return InstanceClock.of(STORE, this.instanceMillis::get);
	}

	@Override
	protected void setClock(long micros) {
		CLOCK.stopAt(micros);
		this.instanceMillis.set(micros / 1000 + this.skewMillis);
	}

}
