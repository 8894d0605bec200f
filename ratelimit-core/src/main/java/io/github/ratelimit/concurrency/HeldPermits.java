package io.github.ratelimit.concurrency;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one limit on concurrency that a call holds. They are given back once at
 * most: while a renewal is in flight, by that renewal, as the store finds permits by the
 * time at which they were last charged. Thread-safe.
 */
public final class HeldPermits {

	private final RateLimitStore store;

	private final PermitRequest permit;

	/** The time of the charge or of the last renewal, by the store's clock. */
	private long chargedAt;

	/** The time of the last renewal that succeeded, by the clock of the heartbeat. */
	private long renewedAt;

	private State state = State.HELD;

	private @Nullable Runnable onEnd;

	private enum State {

		HELD, RENEWING, RELEASED_WHILE_RENEWING, ENDED

	}

	/**
	 * Creates the permits of an admitted call.
	 * @param store the store that was charged
	 * @param permit the request that was admitted
	 * @param chargedAt when it was charged, by the store's clock
	 */
	public HeldPermits(RateLimitStore store, PermitRequest permit, long chargedAt) {
		this.store = store;
		this.permit = permit;
		this.chargedAt = chargedAt;
	}

	/**
	 * Returns whether the permits were neither given back nor lost.
	 * @return whether a call holds them
	 */
	public synchronized boolean isHeld() {
		return this.state == State.HELD || this.state == State.RENEWING;
	}

	/**
	 * Ends holding the permits.
	 * @return the refund to send to the store; {@code null} if there is none, as they
	 * were given back before, are lost, or are being renewed and given back afterwards
	 */
	public synchronized @Nullable PermitRequest tryRelease() {
		boolean renewing = this.state == State.RENEWING;
		PermitRequest refund = (this.state == State.HELD) ? refund() : null;
		if (this.state == State.HELD) {
			end();
		}
		this.state = renewing ? State.RELEASED_WHILE_RENEWING : this.state;
		return refund;
	}

	synchronized void keptSince(long time, Runnable onEnd) {
		this.renewedAt = time;
		this.onEnd = onEnd;
		if (this.state != State.HELD) {
			onEnd.run();
		}
	}

	RateLimitStore store() {
		return this.store;
	}

	/**
	 * Returns the request that was admitted.
	 * @return the request
	 */
	public PermitRequest permit() {
		return this.permit;
	}

	/** Returns the request to renew the permits, or {@code null} if that is not due. */
	synchronized @Nullable PermitRequest tryRenew(long dueBefore) {
		if (this.state != State.HELD || this.renewedAt - dueBefore > 0) {
			return null;
		}
		this.state = State.RENEWING;
		return refund();
	}

	/**
	 * Ends a renewal that succeeded.
	 * @return the refund to send to the store, or {@code null} if the call goes on
	 */
	synchronized @Nullable PermitRequest renewed(long chargedAt, long time) {
		this.chargedAt = chargedAt;
		this.renewedAt = time;
		return renewalEnded();
	}

	/** Ends a renewal that failed, after which the permits may still be there. */
	synchronized @Nullable PermitRequest renewalEnded() {
		if (this.state == State.RELEASED_WHILE_RENEWING) {
			end();
			return refund();
		}
		this.state = State.HELD;
		return null;
	}

	/** Ends a renewal that came too late, and returns whether the call goes on. */
	synchronized boolean lost() {
		boolean goesOn = this.state == State.RENEWING;
		end();
		return goesOn;
	}

	private void end() {
		this.state = State.ENDED;
		if (this.onEnd != null) {
			this.onEnd.run();
		}
	}

	private PermitRequest refund() {
		return this.permit.refund(this.permit.cost(), this.chargedAt);
	}

}
