package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.LongFormula;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.DecisionOfSeveral;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of several counters, taken by a thread that owns their monitors and changes
 * all or none. Threads without the monitors find no numbers meanwhile, and wait for them.
 */
final class TakenNumbers {

	private final List<PermitRequest> permits;

	private final AtomicCounter[] counters;

	private final long[] taken;

	private TakenNumbers(List<PermitRequest> permits, AtomicCounter[] counters) {
		this.permits = permits;
		this.counters = counters;
		this.taken = new long[counters.length];
	}

	/**
	 * Returns the numbers of counters, each another one, or {@code null} if not all of
	 * them count the present limits by numbers.
	 */
	static @Nullable TakenNumbers of(List<PermitRequest> permits, Counter[] counters) {
		AtomicCounter[] atomic = new AtomicCounter[counters.length];
		for (int i = 0; i < counters.length; i++) {
			AtomicCounter counter = counters[i].atomic();
			if (counter == null || !counter.isOf(permits.get(i).limit())) {
				return null;
			}
			atomic[i] = counter;
		}
		return new TakenNumbers(permits, atomic);
	}

	/**
	 * Acquires permits, or returns {@code null} if the states have to decide. The clock,
	 * which may fail, is read before the numbers are taken, as they have to be put back.
	 */
	@Nullable Decision acquire(LongSupplier clock) {
		long now = clock.getAsLong();
		for (int i = 0; i < this.counters.length; i++) {
			this.taken[i] = this.counters[i].take();
		}
		return acquire(now);
	}

	private @Nullable Decision acquire(long now) {
		long[] numbers = new long[DecisionOfSeveral.NUMBERS * this.counters.length];
		boolean admitted = true;
		for (int i = 0; i < this.counters.length; i++) {
			PermitRequest permit = this.permits.get(i);
			numbers[DecisionOfSeveral.NUMBERS * i] = this.counters[i].waitFor(this.taken[i], permit, now);
			admitted &= permit.shadow() || numbers[DecisionOfSeveral.NUMBERS * i] <= permit.maxWaitMicros();
		}
		boolean decided = tryCharge(numbers, admitted, now);
		for (int i = 0; i < this.counters.length; i++) {
			this.counters[i].put(this.taken[i], decided ? numbers[DecisionOfSeveral.NUMBERS * i + 1] : this.taken[i],
					now);
		}
		return decided ? DecisionOfSeveral.ofNumbers(now, this.permits, numbers) : null;
	}

	/** Returns the longest of the waits for limits that are not in shadow. */
	private long latest(long[] numbers) {
		long latest = 0;
		for (int i = 0; i < this.counters.length; i++) {
			latest = this.permits.get(i).shadow() ? latest : Math.max(latest, numbers[DecisionOfSeveral.NUMBERS * i]);
		}
		return latest;
	}

	/**
	 * Adds the numbers after the charge and their times to the waits, unless the states
	 * have to decide.
	 */
	private boolean tryCharge(long[] numbers, boolean admitted, long now) {
		boolean fit = true;
		long latest = latest(numbers);
		for (int i = 0; i < this.counters.length; i++) {
			PermitRequest permit = this.permits.get(i);
			long wait = numbers[DecisionOfSeveral.NUMBERS * i];
			boolean charges = admitted && permit.cost() > 0 && wait <= permit.maxWaitMicros();
			long number = this.counters[i].after(this.taken[i], charges ? permit.cost() : 0,
					permit.limit().formula().turn(now, wait, latest) - now, now);
			fit &= number != LongFormula.UNFIT;
			numbers[DecisionOfSeveral.NUMBERS * i + 1] = number;
			numbers[DecisionOfSeveral.NUMBERS * i + 2] = this.counters[i].time(now);
		}
		return fit;
	}

}
