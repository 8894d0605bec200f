package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.LimitDecision;

/**
 * Random operations on one count, mostly charges of a few permits.
 */
public final class RandomCalls {

	private final List<PermitRequest> charged = new ArrayList<>();

	private final Random random;

	private final String policy;

	private final String key;

	/**
	 * Creates calls of one key.
	 * @param random the source of randomness
	 * @param policy the policy to charge
	 * @param key the key to charge
	 */
	public RandomCalls(Random random, String policy, String key) {
		this.random = random;
		this.policy = policy;
		this.key = key;
	}

	/**
	 * An operation and its request.
	 *
	 * @param operation the operation
	 * @param permit the only request
	 */
	public record Call(StoreOperation operation, PermitRequest permit) {
	}

	/**
	 * Returns the next call.
	 * @param limit the current limit
	 * @return the call
	 */
	public Call next(Limit limit) {
		StoreOperation operation = operation();
		if (operation == StoreOperation.REFUND) {
			StoreOperation again = (limit.isConcurrency() && this.random.nextBoolean()) ? StoreOperation.RENEW
					: operation;
			PermitRequest earlier = this.charged.remove(this.random.nextInt(this.charged.size()));
			return new Call(again, new PermitRequest(policyLimit(limit, 0), this.key, 0, 0).refund(earlier.cost(),
					earlier.chargedAtMicros(), earlier.turnMicros()));
		}
		if (operation == StoreOperation.RESET) {
			return new Call(operation, new PermitRequest(policyLimit(limit, 0), this.key, 0, 0));
		}
		return asking(operation, limit);
	}

	/**
	 * Returns a charge that is made only if it fits.
	 * @param limit the current limit
	 * @return the call
	 */
	public Call acquire(Limit limit) {
		return asking(StoreOperation.ACQUIRE, limit);
	}

	/**
	 * Returns a request in shadow, on another count of the same key.
	 * @param limit the limit in shadow
	 * @return the additional request
	 */
	public PermitRequest inShadow(Limit limit) {
		PermitRequest permit = acquire(limit).permit();
		PolicyLimit policyLimit = new PolicyLimit(this.policy, this.policy, 100, limit, permit.policyLimit().reserve());
		return new PermitRequest(policyLimit.inShadow(), this.key, permit.cost(), permit.maxWaitMicros());
	}

	private Call asking(StoreOperation operation, Limit limit) {
		long reserve = (this.random.nextInt(6) == 0) ? this.random.nextLong(limit.burst()) : 0;
		long longest = Math.min(2 * limit.rate().periodMicros(), limit.formula().longestWait());
		long wait = (longest > 0 && this.random.nextInt(4) == 0) ? this.random.nextLong(longest) : 0;
		long cost = (operation == StoreOperation.CHARGE) ? this.random.nextLong(2 * Math.min(limit.burst(), 50))
				: cost(limit.burst() - reserve);
		return new Call(operation, new PermitRequest(policyLimit(limit, reserve), this.key, cost, wait));
	}

	/**
	 * Remembers a charge, to refund or renew it later.
	 * @param call the call
	 * @param decision its decision
	 * @param now the time of the call
	 */
	public void done(Call call, LimitDecision decision, long now) {
		if (call.operation() == StoreOperation.ACQUIRE && decision.allowed() && call.permit().cost() > 0) {
			this.charged.add(call.permit().refund(call.permit().cost(), now, now + decision.waitMicros()));
		}
		if (call.operation() == StoreOperation.RENEW) {
			this.charged.add(call.permit().refund(call.permit().cost(), now));
		}
	}

	/** Forgets all charges that could be refunded. */
	public void forget() {
		this.charged.clear();
	}

	private StoreOperation operation() {
		int choice = this.random.nextInt(100);
		if (choice < 15 && !this.charged.isEmpty()) {
			return StoreOperation.REFUND;
		}
		if (choice < 22) {
			return StoreOperation.PEEK;
		}
		return (choice < 24) ? StoreOperation.CHARGE : (choice < 25) ? StoreOperation.RESET : StoreOperation.ACQUIRE;
	}

	private long cost(long burst) {
		long most = (this.random.nextInt(5) == 0) ? burst : Math.min(burst, 4);
		return this.random.nextLong(most + 1);
	}

	private PolicyLimit policyLimit(Limit limit, long reserve) {
		return new PolicyLimit(this.policy, this.policy, 0, limit, reserve);
	}

}
