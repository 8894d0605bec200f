package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Formula;

/**
 * A permit request with its count, which no other call changes meanwhile.
 */
final class CountAccess {

	private final Count count;

	private final PermitRequest permit;

	private final Formula formula;

	private long now;

	private long wait;

	private boolean fits;

	CountAccess(Count count, PermitRequest permit) {
		this.count = count;
		this.permit = permit;
		this.formula = permit.limit().formula();
	}

	/**
	 * Opens the count. Two keys that share it may require more than it can ever admit.
	 * Together they never fit, so the request waits as if for the whole burst.
	 */
	boolean open(StoreOperation operation, long clock, long requiredBefore) {
		if (operation == StoreOperation.RESET) {
			this.count.clear();
		}
		this.now = this.count.open(this.permit.limit(), clock);
		if (operation == StoreOperation.ACQUIRE || operation == StoreOperation.PEEK) {
			long required = requiredBefore + this.permit.required();
			long most = this.permit.limit().burst();
			this.wait = this.count.waitFor(this.formula, this.now, Math.min(required, most));
			this.wait = (required > most) ? Math.max(this.wait, this.permit.maxWaitMicros() + 1) : this.wait;
		}
		this.fits = this.wait <= this.permit.maxWaitMicros();
		return this.fits || this.permit.shadow();
	}

	/** Returns what this permit requires of the count, if that is another one's too. */
	long requiredOf(CountAccess other) {
		return (this.count == other.count) ? this.permit.required() : 0;
	}

	/**
	 * Returns the time until the call may proceed by this limit, which is 0 for a limit
	 * in shadow, as no call waits for it.
	 */
	long turn() {
		return this.permit.shadow() ? 0 : this.wait;
	}

	void apply(StoreOperation operation, boolean admitted, long latest) {
		boolean charged = operation == StoreOperation.CHARGE
				|| (operation == StoreOperation.ACQUIRE && admitted && this.fits);
		if (charged && this.permit.cost() > 0) {
			this.count.take(this.permit.limit(), this.now, this.permit.cost(),
					this.formula.turn(this.now, this.wait, latest) - this.now);
		}
		if (operation == StoreOperation.REFUND || operation == StoreOperation.RENEW) {
			long refunded = this.count.refund(this.permit, this.now);
			if (operation == StoreOperation.RENEW) {
				renew(refunded);
			}
		}
	}

	/** Charges refunded permits again. The others are lost. */
	private void renew(long refunded) {
		if (refunded > 0) {
			this.count.take(this.permit.limit(), this.now, refunded, 0);
		}
		this.wait = this.permit.cost() - refunded;
	}

	/** Puts the numbers of the limit's decision into an array. */
	void report(long[] numbers, int at) {
		numbers[at] = this.wait;
		numbers[at + 1] = this.count.remaining(this.formula, this.now);
		numbers[at + 2] = this.count.resetAfter(this.permit.limit(), this.now);
	}

}
