package io.github.ratelimit.algorithm;

import java.util.Objects;

import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import org.jspecify.annotations.Nullable;

/**
 * A slow definition of a count that different limits of one period charge, as those of
 * several plans do. Each limit reads what the one before it has written, and replaces it
 * only by a change.
 */
public final class CountDefinition {

	private @Nullable Limit writer;

	private Definition written = Definition.of(Limit.parse("1/1s"));

	/**
	 * Executes an operation of a limit.
	 * @param operation the operation
	 * @param permit the request
	 * @param clock the time of the clock in microseconds, which has not stepped back
	 * @param latest the longest wait for a limit of the call
	 * @return the decision by the definition
	 */
	public LimitDecision execute(StoreOperation operation, PermitRequest permit, long clock, long latest) {
		Limit limit = permit.limit();
		if (Objects.equals(this.writer, limit)) {
			return this.written.execute(operation, permit, clock, latest);
		}
		Definition read = (this.writer != null) ? this.written.readBy(limit, clock) : Definition.of(limit);
		LimitDecision decision = read.execute(operation, permit, clock, latest);
		if (read.isChanged()) {
			this.written = read;
			this.writer = limit;
		}
		return decision;
	}

	/**
	 * Returns whether the latest change was by another algorithm, so that a limit denies
	 * until the count expires.
	 * @param limit the limit
	 * @param now the time of the clock in microseconds
	 * @return whether a call may fit before its retry-after
	 */
	public boolean isForeignTo(Limit limit, long now) {
		return this.writer != null && this.written.readBy(limit, now).isForeign();
	}

	/**
	 * Returns when a limit counts the permits of a call. Windows and logs count them when
	 * the call proceeds, but no later than in the next window of the calendar.
	 * @param limit the limit
	 * @param now the time of the decision
	 * @param wait the wait for this limit
	 * @param latest the longest wait for a limit of the call
	 * @return the time in microseconds
	 */
	public static long turn(Limit limit, long now, long wait, long latest) {
		Alignment calendar = limit.alignment();
		long turn = now + ((limit.algorithm().hasBurst() || limit.isConcurrency()) ? wait : Math.max(wait, latest));
		return (calendar == null) ? turn : Math.min(turn, calendar.end(calendar.end(now)) - 1);
	}

}
