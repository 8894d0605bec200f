package io.github.ratelimit;

import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/** Tests of calls whose counts are in memory. */
class CallsTests extends CallsContract {

	private final AtomicLong clock = new AtomicLong();

	@Override
	protected RateLimitStore store() {
		return new MemoryRateLimitStore(1000, this.clock::get);
	}

	@Override
	protected void setClock(long micros) {
		this.clock.set(micros);
	}

}
