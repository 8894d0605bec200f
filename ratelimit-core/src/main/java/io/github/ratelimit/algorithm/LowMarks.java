package io.github.ratelimit.algorithm;

import java.util.Arrays;

/**
 * The least that a bucket had spent in each of its latest epochs, which tells how much of
 * a charge still counts: what was spent has since been at least that much more than it
 * would have been without the charge. A bucket keeps these marks while refunds would lose
 * much without them. An epoch is about a tenth of the time after which permits are
 * refunded.
 *
 * <p>
 * A refund lowers the marks from the epoch of its charge on, as if the permits had never
 * been charged. So all refunds together return no more than if none of their permits had
 * been.
 *
 * <p>
 * State, after that of the bucket: the code of the length of an epoch, the bits of a
 * grain, the epochs since a refund that needed epochs of this length, and the marks in
 * grains, rounded down, that of the current epoch first.
 */
final class LowMarks {

	private static final int EPOCHS = 10;

	private static final int CODE = Gcra.LENGTH;

	private static final int GRAIN_BITS = 5;

	private static final int QUIET = 6;

	private static final int FIRST = 7;

	private static final int LENGTH = FIRST + EPOCHS;

	/** The highest mark, in 16 bits; that of a full bucket is half as high. */
	private static final long HIGHEST = (1 << 16) - 1;

	private final Gcra gcra;

	private final int grainBits;

	LowMarks(Gcra gcra, long capacity) {
		this.gcra = gcra;
		this.grainBits = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(capacity) - 15);
	}

	/**
	 * Returns whether the bucket's limit can read the marks of a state, if it has any.
	 */
	boolean areReadable(long[] state) {
		return !isKept(state) || state[GRAIN_BITS] == this.grainBits;
	}

	private static boolean isKept(long[] state) {
		return state.length == LENGTH;
	}

	/**
	 * Brings the marks up to date before a change, and drops them if they were not needed
	 * for long.
	 * @param state the state, whose time is that of its last change
	 * @param spent what is spent now, in parts
	 * @return the same state, or one without marks
	 */
	long[] at(long[] state, long now, long spent) {
		if (!isKept(state)) {
			return state;
		}
		long past = epoch(state, now) - epoch(state, state[Gcra.AT]);
		state[QUIET] += past;
		if (state[QUIET] > 2 * EPOCHS) {
			return Arrays.copyOf(state, CODE);
		}
		long low = Math.min(HIGHEST, spent >> this.grainBits);
		int begun = (int) Math.min(EPOCHS, past);
		System.arraycopy(state, FIRST, state, FIRST + begun, EPOCHS - begun);
		Arrays.fill(state, FIRST, FIRST + begun, low);
		state[FIRST] = Math.min(state[FIRST], low);
		return state;
	}

	/**
	 * Refunds parts as far as they still count.
	 * @param state the state, which is up to date
	 * @param parts the parts, at most those charged
	 * @param chargedAt the time of the charge, not in the future
	 * @return the same state, or one with marks
	 */
	long[] refund(long[] state, long now, long parts, long chargedAt) {
		long unrefilled = this.gcra.spent(parts, chargedAt, now);
		boolean needsMarks = 16 * (parts - unrefilled) > parts;
		long[] kept = needsMarks ? fitting(state, now, now - chargedAt) : state;
		long age = isKept(kept) ? Math.min(EPOCHS, epoch(kept, now) - epoch(kept, chargedAt)) : EPOCHS;
		long known = (age < EPOCHS) ? least(kept, now, parts, chargedAt) : 0;
		long refunded = Math.min(Math.min(parts, kept[Formula.SPENT]), Math.max(unrefilled, known));
		kept[Formula.SPENT] -= refunded;
		if (isKept(kept)) {
			lower(kept, (int) Math.min(age, EPOCHS - 1), refunded);
		}
		return kept;
	}

	/**
	 * Returns a state whose epochs fit a refund after a time, if others need no other.
	 */
	private long[] fitting(long[] state, long now, long time) {
		if (!isKept(state)) {
			return started(state, time);
		}
		boolean isKnown = epoch(state, now) - epoch(state, now - time) < EPOCHS;
		long longest = (EPOCHS - 1) * span(state[CODE]);
		if (!isKnown) {
			return (time <= 4 * longest || state[QUIET] > EPOCHS) ? started(state, time) : state;
		}
		state[QUIET] = (4 * time > longest) ? 0 : state[QUIET];
		return state;
	}

	private long[] started(long[] state, long time) {
		long[] started = Arrays.copyOf(Arrays.copyOf(state, CODE), LENGTH);
		while ((EPOCHS - 1) * span(started[CODE]) < time) {
			started[CODE]++;
		}
		started[GRAIN_BITS] = this.grainBits;
		return started;
	}

	/**
	 * Returns the least that was spent at any time since a charge of parts, as far as it
	 * is known. In the epoch of the charge, that is at least the charge itself, less what
	 * was refilled since.
	 */
	private long least(long[] state, long now, long parts, long chargedAt) {
		int age = (int) (epoch(state, now) - epoch(state, chargedAt));
		long end = Math.min(now, (epoch(state, chargedAt) + 1) * span(state[CODE]));
		long least = Math.max(state[FIRST + age] << this.grainBits, this.gcra.spent(parts, chargedAt, end));
		for (int later = 0; later < age; later++) {
			least = Math.min(least, state[FIRST + later] << this.grainBits);
		}
		return least;
	}

	/** Lowers the marks of the current epoch and of some before. */
	private void lower(long[] state, int before, long parts) {
		long grains = -(-parts >> this.grainBits);
		for (int age = 0; age <= before; age++) {
			state[FIRST + age] = Math.max(0, state[FIRST + age] - grains);
		}
	}

	private static long epoch(long[] state, long time) {
		return time / span(state[CODE]);
	}

	/** Returns the length of an epoch in microseconds: four codes double it. */
	private static long span(long code) {
		return (4 + code % 4) << (code / 4);
	}

}
