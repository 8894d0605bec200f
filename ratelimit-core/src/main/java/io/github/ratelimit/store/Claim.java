package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.LimitDecision;

/**
 * A debit with the cell that it is charged to, whose monitor is held.
 */
final class Claim {

	private final Cell cell;

	private final Debit debit;

	private final Formula formula;

	private long now;

	private long wait;

	private boolean fits;

	private long remaining;

	private long reset;

	Claim(Cell cell, Debit debit) {
		this.cell = cell;
		this.debit = debit;
		this.formula = debit.clause().limit().formula();
	}

	Cell cell() {
		return this.cell;
	}

	Debit debit() {
		return this.debit;
	}

	/**
	 * Two keys that share a cell may ask for more than it can ever admit: together they
	 * never fit, so the call waits for as much as it holds.
	 */
	boolean admits(Operation operation, long clock, long askedBefore) {
		if (operation == Operation.RESET) {
			this.cell.clear();
		}
		this.now = this.cell.open(this.debit.clause().limit(), clock);
		if (operation == Operation.ACQUIRE || operation == Operation.PEEK) {
			long asked = askedBefore + this.debit.asked();
			long most = this.debit.clause().limit().burst();
			this.wait = this.cell.waitFor(this.formula, this.now, Math.min(asked, most));
			this.wait = (asked > most) ? Math.max(this.wait, this.debit.patience() + 1) : this.wait;
		}
		this.fits = this.wait <= this.debit.patience();
		return this.fits || this.debit.isInShadow();
	}

	void settle(Operation operation, boolean admitted) {
		boolean charged = operation == Operation.CHARGE || (operation == Operation.ACQUIRE && admitted && this.fits);
		if (charged && this.debit.cost() > 0) {
			this.cell.take(this.debit.clause().limit(), this.now, this.debit.cost(), this.wait);
		}
		if (operation == Operation.GIVE_BACK) {
			this.cell.giveBack(this.debit.clause().limit(), this.now, this.debit.cost(), this.debit.time());
		}
		this.remaining = this.cell.remaining(this.formula, this.now);
		this.reset = this.cell.resetAfter(this.debit.clause().limit(), this.now);
	}

	LimitDecision decision() {
		return this.debit.decision(this.wait, this.remaining, this.reset);
	}

}
