package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The values in Redis that were no counts and that the script has overwritten. Each is
 * counted; the log has one line a minute at most, with the name of a policy.
 */
final class UnreadableCounts {

	private static final Log logger = LogFactory.getLog(RedisRateLimitStore.class);

	private static final long QUIET = Duration.ofMinutes(1).toNanos();

	private final LongAdder overwritten = new LongAdder();

	private final AtomicLong quietUntil;

	private final LongSupplier nanoClock;

	UnreadableCounts(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
		this.quietUntil = new AtomicLong(nanoClock.getAsLong());
	}

	/** How many there were so far. */
	long overwritten() {
		return this.overwritten.sum();
	}

	/** Looks for them in the reply to a call. */
	void look(ScriptCall call, byte[] reply) {
		for (int i = 0; i < call.keys().length; i++) {
			if (ScriptCalls.isUnreadable(reply, i)) {
				this.overwritten.increment();
				log(call, i);
			}
		}
	}

	private void log(ScriptCall call, int index) {
		long until = this.quietUntil.get();
		long now = this.nanoClock.getAsLong();
		if (now - until >= 0 && this.quietUntil.compareAndSet(until, now + QUIET)) {
			logger.warn("Redis held a value that is no count of policy '" + ScriptCalls.policy(call.keys()[index])
					+ "', which was overwritten: the count begins anew. Something else writes to keys of this prefix."
					+ " Further ones within a minute are counted, not logged");
		}
	}

}
