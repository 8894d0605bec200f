package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.ratelimit.spring.redis.script.CountKeys;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A counter of values in Redis that were no counts and were overwritten. It logs at most
 * once a minute, with the name of a policy.
 */
final class UnreadableCounts {

	private static final Log logger = LogFactory.getLog(UnreadableCounts.class);

	private static final long QUIET = Duration.ofMinutes(1).toNanos();

	private final LongAdder overwritten = new LongAdder();

	private final AtomicLong quietUntil;

	private final LongSupplier nanoClock;

	UnreadableCounts(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
		this.quietUntil = new AtomicLong(nanoClock.getAsLong());
	}

	/** Returns the number of values so far. */
	long overwritten() {
		return this.overwritten.sum();
	}

	/** Counts those in a reply. */
	void record(ScriptInvocation invocation, byte[] reply) {
		for (int i = 0; i < invocation.keys().length; i++) {
			if (ScriptCodec.isUnreadable(reply, i)) {
				this.overwritten.increment();
				log(invocation, i);
			}
		}
	}

	private void log(ScriptInvocation invocation, int index) {
		long until = this.quietUntil.get();
		long now = this.nanoClock.getAsLong();
		if (now - until >= 0 && this.quietUntil.compareAndSet(until, now + QUIET)) {
			logger.warn("Redis held a value that is no count of policy '" + CountKeys.policy(invocation.keys()[index])
					+ "', which was overwritten: the count starts again. Something else writes to keys of this prefix."
					+ " Further ones within a minute are counted, not logged");
		}
	}

}
