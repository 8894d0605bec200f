package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials for as long as they hold, so that Redis need not be asked again. One
 * holds until the call would be admitted, but for no longer than other instances may take
 * to give back or reset what was spent. When Redis decided is known only to be after it
 * was asked and before it answered: how long a denial holds is counted from the one, and
 * what it tells callers to wait from the other, so that no call is denied for too long
 * and none comes back too early.
 *
 * <p>
 * A denial that comes later takes the place of an earlier one, so there are never more
 * than there are places.
 */
final class Denials {

	private final Places<Denial> places;

	private final long maxAge;

	private final LongSupplier nanoClock;

	/** How often something was given back or reset here. */
	private final AtomicLong epoch = new AtomicLong();

	/**
	 * Remembers nothing yet.
	 * @param shortcuts how many denials to remember at most, and for how long
	 * @param nanoClock what {@link System#nanoTime} is
	 */
	Denials(Shortcuts shortcuts, LongSupplier nanoClock) {
		this.places = new Places<>(shortcuts.denials());
		this.maxAge = shortcuts.denialAge().toNanos();
		this.nanoClock = nanoClock;
	}

	/** To be read before Redis is asked, as is the time. */
	long epoch() {
		return this.epoch.get();
	}

	long now() {
		return this.nanoClock.getAsLong();
	}

	/** The denial that a call would get from Redis too, as of now. */
	@Nullable Decision known(List<Debit> debits) {
		Denial denial = this.places.get(debits.get(0));
		if (denial == null) {
			return null;
		}
		long now = now();
		return (now - denial.asked < denial.holds && denial.debits.equals(debits))
				? Later.decision(denial.decision, now - denial.answered, debits, 0) : null;
	}

	/**
	 * Remembers a denial, unless something was given back since Redis was asked.
	 * @param asked when Redis was asked
	 * @param epoch what it was then
	 */
	void learn(List<Debit> debits, Decision decision, long asked, long epoch) {
		if (!decision.allowed() && isOfOneKey(debits) && epoch == epoch()) {
			long holds = Math.min(this.maxAge, TimeUnit.MICROSECONDS.toNanos(decision.retryAfterMicros()));
			this.places.put(debits.get(0), new Denial(debits, decision, asked, now(), holds));
		}
	}

	/** Forgets denials by counts that have changed. */
	void forget(List<Debit> debits) {
		this.epoch.incrementAndGet();
		debits.forEach((debit) -> this.places.put(debit, null));
	}

	/**
	 * Whether all counts have one place, and no call gets in line or is denied in shadow.
	 */
	private static boolean isOfOneKey(List<Debit> debits) {
		return SlotBySlot.shareASlot(debits) && Coalescer.isImmediate(debits);
	}

	private record Denial(List<Debit> debits, Decision decision, long asked, long answered, long holds) {

	}

}
