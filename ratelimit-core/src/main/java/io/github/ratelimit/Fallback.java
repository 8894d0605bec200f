package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Decides on calls that the store did not decide, as their policies say.
 */
final class Fallback {

	private final Policies policies;

	private final MemoryRateLimitStore local;

	Fallback(Policies policies, MemoryRateLimitStore local) {
		this.policies = policies;
		this.local = local;
	}

	/**
	 * Acquires or peeks. What nobody counts is not in the decision.
	 * @return {@code null} where the call must fail
	 */
	@Nullable Hold decide(Operation operation, Call call) {
		if (fails(call.debits())) {
			return null;
		}
		List<Debit> shares = call.debits()
			.stream()
			.filter((debit) -> says(debit, OnStoreFailure.LOCAL))
			.map(this::share)
			.toList();
		return call.hold(decide(operation, shares), shares, this.local);
	}

	/** Whether a policy says that a call fails with the store. */
	boolean fails(List<Debit> debits) {
		return debits.stream().anyMatch((debit) -> says(debit, OnStoreFailure.DENY));
	}

	/** Whether a policy says that it does not limit a call. */
	boolean letsThrough(List<Debit> debits) {
		return debits.stream().anyMatch((debit) -> says(debit, OnStoreFailure.ALLOW));
	}

	/** Forgets what was counted here. */
	void reset(List<Debit> debits) {
		List<Debit> local = debits.stream().filter((debit) -> says(debit, OnStoreFailure.LOCAL)).toList();
		this.local.execute(Operation.RESET, local);
	}

	/**
	 * What costs more than the share can ever admit is admitted when nothing of it is
	 * spent, and owes the rest, so that others wait for longer. Of no debits the store
	 * tells the time alone.
	 */
	private Decision decide(Operation operation, List<Debit> shares) {
		Decision decision = this.local.execute(operation,
				shares.stream().map((debit) -> costing(debit, Math.min(debit.cost(), debit.clause().most()))).toList());
		List<Debit> owed = shares.stream()
			.filter((debit) -> debit.cost() > debit.clause().most())
			.map((debit) -> costing(debit, debit.cost() - debit.clause().most()))
			.toList();
		if (operation == Operation.ACQUIRE && decision.allowed() && !owed.isEmpty()) {
			this.local.execute(Operation.CHARGE, owed);
		}
		return decision;
	}

	private Debit share(Debit debit) {
		Clause share = debit.clause().share(terms(debit).localShare());
		long wait = Math.min(debit.time(), share.limit().formula().longestWait());
		return new Debit(share, debit.key(), debit.cost(), wait);
	}

	private boolean says(Debit debit, OnStoreFailure mode) {
		return terms(debit).onStoreFailure() == mode;
	}

	private Terms terms(Debit debit) {
		return this.policies.get(debit.clause().policy()).terms();
	}

	private static Debit costing(Debit debit, long cost) {
		return new Debit(debit.clause(), debit.key(), cost, debit.time());
	}

}
