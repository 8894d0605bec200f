package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;

/**
 * Operations at random on one count, mostly charges of a few permits.
 */
public final class RandomCalls {

	private final List<Debit> charged = new ArrayList<>();

	private final Random random;

	private final String policy;

	private final String key;

	/**
	 * Calls of one key.
	 * @param random chooses
	 * @param policy whose count is charged
	 * @param key who is charged
	 */
	public RandomCalls(Random random, String policy, String key) {
		this.random = random;
		this.policy = policy;
		this.key = key;
	}

	/**
	 * An operation and what it is carried out on.
	 *
	 * @param operation the operation
	 * @param debit the only debit
	 */
	public record Call(Operation operation, Debit debit) {
	}

	/**
	 * The next call.
	 * @param limit the limit of now
	 * @return what to do
	 */
	public Call next(Limit limit) {
		Operation operation = operation();
		if (operation == Operation.GIVE_BACK) {
			Debit earlier = this.charged.remove(this.random.nextInt(this.charged.size()));
			return new Call(operation, new Debit(clause(limit, 0), this.key, earlier.cost(), earlier.time()));
		}
		if (operation == Operation.RESET) {
			return new Call(operation, new Debit(clause(limit, 0), this.key, 0, 0));
		}
		return asking(operation, limit);
	}

	/**
	 * A charge that is made only if it fits.
	 * @param limit the limit of now
	 * @return what to do
	 */
	public Call acquire(Limit limit) {
		return asking(Operation.ACQUIRE, limit);
	}

	/**
	 * What a call asks in shadow, of another count of the same key.
	 * @param limit the limit in shadow
	 * @return what to ask beside something else
	 */
	public Debit inShadow(Limit limit) {
		Debit debit = acquire(limit).debit();
		Clause clause = new Clause(this.policy, this.policy, 100, limit, debit.clause().reserve());
		return Debit.inShadow(clause, this.key, debit.cost(), debit.time());
	}

	private Call asking(Operation operation, Limit limit) {
		long reserve = (this.random.nextInt(6) == 0) ? this.random.nextLong(limit.burst()) : 0;
		long longest = Math.min(2 * limit.rate().periodMicros(), limit.formula().longestWait());
		long wait = (this.random.nextInt(4) == 0) ? this.random.nextLong(longest) : 0;
		long cost = (operation == Operation.CHARGE) ? this.random.nextLong(2 * Math.min(limit.burst(), 50))
				: cost(limit.burst() - reserve);
		return new Call(operation, new Debit(clause(limit, reserve), this.key, cost, wait));
	}

	/**
	 * Remembers a charge, to give it back later.
	 * @param call what was done
	 * @param decision the answer
	 * @param now when
	 */
	public void done(Call call, LimitDecision decision, long now) {
		if (call.operation() == Operation.ACQUIRE && decision.allowed() && call.debit().cost() > 0) {
			this.charged
				.add(new Debit(call.debit().clause(), this.key, call.debit().cost(), now + decision.waitMicros()));
		}
	}

	/** Forgets what could be given back. */
	public void forget() {
		this.charged.clear();
	}

	private Operation operation() {
		int choice = this.random.nextInt(100);
		if (choice < 15 && !this.charged.isEmpty()) {
			return Operation.GIVE_BACK;
		}
		if (choice < 22) {
			return Operation.PEEK;
		}
		return (choice < 24) ? Operation.CHARGE : (choice < 25) ? Operation.RESET : Operation.ACQUIRE;
	}

	private long cost(long burst) {
		long most = (this.random.nextInt(5) == 0) ? burst : Math.min(burst, 4);
		return this.random.nextLong(most + 1);
	}

	private Clause clause(Limit limit, long reserve) {
		return new Clause(this.policy, this.policy, 0, limit, reserve);
	}

}
