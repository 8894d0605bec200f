package io.github.ratelimit.algorithm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * An algorithm with the numbers of one limit worked out: exact arithmetic over a state,
 * which is an array of longs that begins with what is spent and in which unit; what
 * follows only the algorithm can read. Times are microseconds of one clock that never
 * steps back: the store that holds a state sees to that.
 *
 * <p>
 * For stores that decide in Java. Immutable; a state is guarded by the store that holds
 * it.
 */
public interface Formula {

	/** How many numbers a Lua form takes. */
	int ARGUMENTS = 4;

	/** Where a state holds what is spent, in parts of a permit. */
	int SPENT = 0;

	/** Where a state holds how many parts a permit had when it was stored. */
	int UNIT = 1;

	/** No call waits for longer, in microseconds. */
	long LONGEST_WAIT = TimeUnit.DAYS.toMicros(366);

	/** The largest number up to which Lua counts without gaps. */
	long LARGEST = 1L << 53;

	/**
	 * The name of the Lua form. A state can be read by formulas of the same rule alone.
	 * @return the name of a file beside this class, without its ending
	 */
	String rule();

	/**
	 * Whether windows follow the calendar, so that time must be that of the clock even
	 * where it steps back.
	 * @return whether the formula bears a clock that steps back
	 */
	default boolean followsCalendar() {
		return false;
	}

	/**
	 * The longest that a call may wait in line, so that everything can be counted.
	 * @return microseconds, at most {@link #LONGEST_WAIT}
	 */
	default long longestWait() {
		return LONGEST_WAIT;
	}

	/**
	 * The numbers that the Lua form takes, in its order.
	 * @param now the current time
	 * @return {@value #ARGUMENTS} whole numbers up to {@link #LARGEST}, not to be changed
	 */
	long[] arguments(long now);

	/**
	 * A state in which so many permits were spent just now.
	 * @param spent whole permits, 0 for a key that was never charged
	 * @param now the current time
	 * @return a new state
	 */
	default long[] stateOf(long spent, long now) {
		return stateOf(spent, now, now);
	}

	/**
	 * Starts from what a formula of another rule counted. Nothing of it is forgotten: it
	 * counts as spent now, or comes back at this formula's rate from when it last
	 * changed.
	 * @param spent whole permits
	 * @param since when that last changed; if it is yet to come, calls wait in line until
	 * then, and nothing fits before
	 * @param now the current time
	 * @return a new state
	 */
	long[] stateOf(long spent, long since, long now);

	/**
	 * Reads a state that a formula of the same period stored. What is spent stays spent,
	 * however much that is for this formula.
	 * @param writer the formula that stored the state
	 * @param state left as it is
	 * @param now the current time
	 * @return the state as this formula stores it, which may be the same array, or
	 * {@code null} if only {@link #permitsSpent} is known of it
	 */
	long @Nullable [] read(Formula writer, long[] state, long now);

	/**
	 * The time of the last place in line, or when the state was last changed.
	 * @param state left as it is
	 * @param changedAt when it was
	 * @return the later of both
	 */
	default long lastPlace(long[] state, long changedAt) {
		return changedAt;
	}

	/**
	 * How long until {@code cost} has its place, behind all that have one already, if
	 * nothing is given back meanwhile.
	 * @param state left as it is
	 * @param now the current time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	long waitFor(long[] state, long now, long cost);

	/**
	 * Charges a cost at its place, or now although it does not fit. A cost of 0 only
	 * brings the state up to date.
	 * @param state changed
	 * @param now the current time
	 * @param cost at least 0
	 * @param wait what {@link #waitFor} answered, or 0 to charge now whatever is spent
	 * @return the state to keep: the same, or another in its place
	 */
	long[] take(long[] state, long now, long cost, long wait);

	/**
	 * A state in fewer numbers, which admits no call that the longer one would deny, but
	 * may admit some later.
	 * @param state left as it is; one that has grown
	 * @param length the most numbers it may have, at least those it had before
	 * @return the state to keep
	 */
	default long[] coarsened(long[] state, int length) {
		return state;
	}

	/**
	 * Gives back what was charged, as far as it is spent still: never more than if it had
	 * not been charged at all, and nothing of what was charged before the state began.
	 * @param state changed
	 * @param now the current time
	 * @param cost permits, at most those charged
	 * @param place the time at which they were charged, which may be yet to come
	 */
	void giveBack(long[] state, long now, long cost, long place);

	/**
	 * How many permits would be admitted now.
	 * @param state left as it is
	 * @param now the current time
	 * @return whole permits, rounded down
	 */
	long remaining(long[] state, long now);

	/**
	 * How long until the state is as if never charged.
	 * @param state left as it is
	 * @param now the current time
	 * @return microseconds; 0 if it is so now
	 */
	long resetAfter(long[] state, long now);

	/**
	 * Whether permits may be charged before they are spent.
	 * @return whether {@link #leaseTime} may be above 0
	 */
	default boolean isLeasable() {
		return false;
	}

	/**
	 * For how long permits that were charged in advance may be spent, as if they were
	 * charged only then: until the state would be as if never charged without them, from
	 * when on charging them late would spend more than charging them early.
	 * @param permits how many were charged
	 * @param resetAfter what {@link #resetAfter} was then
	 * @return microseconds, at least 0
	 */
	default long leaseTime(long permits, long resetAfter) {
		return 0;
	}

	/**
	 * The arithmetic by which threads may count without a lock.
	 * @return that of a token bucket whose state is told by one number; nothing otherwise
	 */
	default @Nullable Gcra gcra() {
		return null;
	}

	/**
	 * The Lua form.
	 * @return the text of the file beside this class that the rule names
	 */
	default String lua() {
		try (InputStream in = Formula.class.getResourceAsStream(rule() + ".lua")) {
			return new String(Objects.requireNonNull(in, rule() + ".lua is missing").readAllBytes(),
					StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The whole permits that any state holds as spent, whichever algorithm it is of.
	 * @param state left as it is
	 * @return permits, rounded up
	 */
	static long permitsSpent(long[] state) {
		return -Math.floorDiv(-state[SPENT], state[UNIT]);
	}

}
