package io.github.ratelimit.store;

import java.util.Comparator;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * The count of one limit for one key. Guarded by its own monitor; of several cells the
 * monitors are taken in the order of {@link #order}.
 */
final class Cell {

	/**
	 * Whose count a cell is: a limit is known by its position in its policy. Names have
	 * an order, by which a map finds those quickly to which callers gave one hash.
	 */
	record Name(String policy, int position, String key) implements Comparable<Name> {

		private static final Comparator<Name> ORDER = Comparator.comparing(Name::key)
			.thenComparing(Name::policy)
			.thenComparingInt(Name::position);

		@Override
		public int compareTo(Name other) {
			return ORDER.compare(this, other);
		}

	}

	private static final long GRACE = TimeUnit.SECONDS.toMicros(1);

	final Name name;

	final long order;

	private long[] state = {};

	private @Nullable String rule;

	private long resetAt;

	private boolean retired;

	/**
	 * A cell for a call to come, which must find it before it may be dropped.
	 */
	Cell(Name name, long order, long now) {
		this.name = name;
		this.order = order;
		this.resetAt = now + GRACE;
	}

	/** Whether the cell was dropped from the map, so that charges to it would be lost. */
	boolean isRetired() {
		return this.retired;
	}

	/** Drops out, if the state is that of a key never charged and nothing is lost. */
	synchronized boolean retire(long now) {
		if (this.retired || this.resetAt > now) {
			return false;
		}
		this.retired = true;
		return true;
	}

	long retryAfter(Limit limit, long now, long cost) {
		Formula formula = limit.formula();
		if (!limit.algorithm().rule().equals(this.rule)) {
			adopt(limit, now);
		}
		formula.rewind(this.state, now);
		return formula.retryAfter(this.state, now, cost);
	}

	/** Goes on by another rule from what the one before it left spent. */
	private void adopt(Limit limit, long now) {
		long spent = (this.rule != null && now < this.resetAt) ? Formula.permitsSpent(this.state) : 0;
		this.rule = limit.algorithm().rule();
		this.state = limit.formula().stateOf(spent, now);
	}

	void take(Limit limit, long now, long cost) {
		this.state = limit.formula().take(this.state, now, cost);
	}

	LimitDecision report(String policy, Limit limit, long now, long retryAfter) {
		long remaining = limit.formula().remaining(this.state, now);
		long resetAfter = limit.formula().resetAfter(this.state, now);
		this.resetAt = now + resetAfter;
		return new LimitDecision(policy, limit, remaining, retryAfter, resetAfter);
	}

}
