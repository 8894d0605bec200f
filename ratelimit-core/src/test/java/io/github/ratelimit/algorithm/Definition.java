package io.github.ratelimit.algorithm;

import java.util.function.LongPredicate;

import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;

/**
 * A slow definition of an algorithm, to test its fast forms against. It decides whether a
 * cost is admitted at a time, in exact numbers. All other numbers of a decision are found
 * by trying.
 */
public abstract class Definition {

	private long began;

	private long changedAt;

	private long resetAt;

	private long ahead;

	/** The flag for a count of another algorithm that this limit has not charged yet. */
	private boolean foreign;

	private boolean changed;

	/**
	 * Creates the definition of a limit's algorithm.
	 * @param limit the limit
	 * @return a definition for a key that was never charged
	 */
	public static Definition of(Limit limit) {
		return switch (limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucketDefinition(limit);
			case FIXED_WINDOW -> new FixedWindowDefinition(limit);
			case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounterDefinition(limit);
			case SLIDING_WINDOW_LOG -> new SlidingWindowLogDefinition(limit);
			case CONCURRENCY -> new ConcurrencyDefinition(limit);
		};
	}

	/**
	 * Returns the most permits in any stretch of time, its end exclusive.
	 * @param micros the length of the stretch
	 * @return the bound of the algorithm, which a caller can reach in one period
	 */
	public abstract long mostIn(long micros);

	/**
	 * Returns the permits by which this limit and another one that share a count may
	 * exceed the larger burst and the larger rate.
	 * @return 0 unless the end of a window frees permits all at once
	 */
	public long edge() {
		return 0;
	}

	/**
	 * Executes an operation.
	 * @param operation the operation
	 * @param permit the request
	 * @param clock the time of the clock in microseconds
	 * @return the decision by the definition
	 */
	public final LimitDecision execute(StoreOperation operation, PermitRequest permit, long clock) {
		return execute(operation, permit, clock, 0);
	}

	/**
	 * Executes an operation of a call with further limits.
	 * @param operation the operation
	 * @param permit the request
	 * @param clock the time of the clock in microseconds
	 * @param latest the longest wait for another limit of the call
	 * @return the decision by the definition
	 */
	public final LimitDecision execute(StoreOperation operation, PermitRequest permit, long clock, long latest) {
		if (operation == StoreOperation.RESET) {
			begin(clock);
		}
		long now = time(clock);
		boolean waits = operation == StoreOperation.ACQUIRE || operation == StoreOperation.PEEK;
		long wait = waits ? bounded(first((time) -> admits(time, permit.required()), now) - now, now) : 0;
		boolean charged = operation == StoreOperation.CHARGE
				|| (operation == StoreOperation.ACQUIRE && wait <= permit.maxWaitMicros());
		if (charged && permit.cost() > 0) {
			boolean isAtTurn = !permit.limit().algorithm().hasBurst() && !permit.limit().isConcurrency();
			charge(now, now + (isAtTurn ? Math.max(wait, latest) : wait), permit.cost());
			changed(now);
		}
		if (operation == StoreOperation.REFUND && !this.foreign && (refundable(permit) > 0 || isRewritten())) {
			refund(now, refundable(permit), countsFrom(permit));
			changed(now);
		}
		wait = (operation == StoreOperation.RENEW) ? renew(now, permit) : wait;
		long remaining = first((more) -> !admits(now, more), 1) - 1;
		return decision(permit, wait, remaining, resetAfter(now));
	}

	/** Leaves the reserve to others, and denies a wait that is too long. */
	private static LimitDecision decision(PermitRequest permit, long wait, long remaining, long reset) {
		long most = permit.maxWaitMicros();
		return new LimitDecision(permit.policy(), permit.key(), permit.limit(),
				Math.max(0, remaining - permit.reserve()), (wait > most) ? wait - most : 0, reset,
				(wait > most) ? 0 : wait, permit.hidden());
	}

	/**
	 * Returns this count as another limit of its period reads it. The count stays as it
	 * is until that limit changes it.
	 * @param limit the other limit
	 * @param now the time of the clock, which has not stepped back
	 * @return the count of the other limit
	 */
	final Definition readBy(Limit limit, long now) {
		Definition read = of(limit);
		read.changedAt = this.changedAt;
		read.resetAt = this.resetAt;
		read.began = this.began;
		if (!read.tryContinue(this)) {
			read.foreign = true;
			read.began = now;
			read.convert(spentPermits(this.changedAt), lastTurn(this.changedAt), now);
		}
		return read;
	}

	/** Returns whether another algorithm charged the count, and this one has not yet. */
	final boolean isForeign() {
		return this.foreign;
	}

	/** Returns whether the count has changed since it was read. */
	final boolean isChanged() {
		return this.changed;
	}

	/** Returns a wait that ends when the count expires, by the limit that charged it. */
	private long bounded(long wait, long now) {
		return (this.foreign && wait > 0) ? this.resetAt - now : Math.min(wait, Math.max(0, this.resetAt - now));
	}

	private long resetAfter(long now) {
		return this.foreign ? this.resetAt - now
				: Math.min(this.resetAt, first((time) -> isAsNew(now, time), now)) - now;
	}

	/** Renews permits, and returns how many are lost. */
	private long renew(long now, PermitRequest permit) {
		long renewed = renew(now, refundable(permit), permit.chargedAtMicros());
		changed(now);
		return permit.cost() - renewed;
	}

	/** Returns the cost of a charge, unless it was made before the count began. */
	private long refundable(PermitRequest permit) {
		return (madeAt(permit) >= this.began) ? permit.cost() : 0;
	}

	/** Returns when a charge to be refunded was made, as far as the count knows. */
	long madeAt(PermitRequest permit) {
		return permit.chargedAtMicros();
	}

	/** Returns from when permits to be refunded count: in a bucket, from their charge. */
	private static long countsFrom(PermitRequest permit) {
		return permit.limit().algorithm().hasBurst() ? permit.chargedAtMicros() : permit.turnMicros();
	}

	/**
	 * Returns whether the refund of a charge before the count began is a change too,
	 * though one of no permits.
	 */
	boolean isRewritten() {
		return true;
	}

	/**
	 * Returns the time to count by, which never steps back with the clock but goes on
	 * from the last change. When nothing is spent, it is the clock's again.
	 */
	private long time(long clock) {
		boolean stepped = !followsClock() && clock + this.ahead < this.changedAt;
		this.ahead = stepped ? this.changedAt - clock : this.ahead;
		long now = clock + this.ahead;
		if (now >= this.resetAt || (followsClock() && !this.foreign && isAsNew(now, now))) {
			begin(clock);
			return clock;
		}
		if (adopt(now)) {
			this.began = now;
			changed(now);
		}
		else if (stepped || clamp(now)) {
			changed(now);
		}
		this.began = Math.min(this.began, now);
		return now;
	}

	private void changed(long now) {
		this.changed = true;
		this.foreign = false;
		this.changedAt = now;
		this.resetAt = first((time) -> isAsNew(now, time), now);
	}

	private void begin(long clock) {
		clear();
		this.changed = true;
		this.foreign = false;
		this.began = clock;
		this.ahead = 0;
		this.changedAt = clock;
		this.resetAt = clock;
	}

	/**
	 * Continues a count of the same algorithm, and returns whether it is one.
	 */
	abstract boolean tryContinue(Definition count);

	/** Returns the whole permits that counted as spent at the last change. */
	abstract long spentPermits(long changedAt);

	/** Returns the time from which on the next call may proceed. */
	long lastTurn(long changedAt) {
		return changedAt;
	}

	/**
	 * Converts what another algorithm has spent.
	 * @param spent whole permits
	 * @param since when they were spent, or the turn of the last call that waits
	 */
	abstract void convert(long spent, long since, long now);

	boolean followsClock() {
		return false;
	}

	/**
	 * Replaces a window that ends too late for the current one, and returns whether it
	 * did.
	 */
	boolean adopt(long now) {
		return false;
	}

	/** Moves charges in the future to now, and returns whether there may be any. */
	boolean clamp(long now) {
		return false;
	}

	/** Returns whether a cost is admitted at a time, and from then on. */
	abstract boolean admits(long time, long cost);

	/** Charges at a time, or after any later charge. */
	abstract void charge(long now, long time, long cost);

	/** Refunds permits that count from a time. */
	abstract void refund(long now, long cost, long from);

	/** Charges what is left of a charge again, and returns how much that is. */
	long renew(long now, long cost, long chargedAt) {
		return 0;
	}

	/** Returns whether, as seen from now, nothing is spent at a time. */
	abstract boolean isAsNew(long now, long time);

	/** Resets the state. */
	abstract void clear();

	/** Returns the periods that a stretch of time consists of, the last maybe in part. */
	static long periods(long micros, long period) {
		return (micros + period - 1) / period;
	}

	/**
	 * Returns the first number from a start for which a condition that stays true is
	 * true.
	 */
	private static long first(LongPredicate isTrue, long start) {
		if (isTrue.test(start)) {
			return start;
		}
		long step = 1;
		while (!isTrue.test(start + step)) {
			step *= 2;
		}
		long no = start + step / 2;
		long yes = start + step;
		while (yes - no > 1) {
			long middle = no + (yes - no) / 2;
			if (isTrue.test(middle)) {
				yes = middle;
			}
			else {
				no = middle;
			}
		}
		return yes;
	}

}
