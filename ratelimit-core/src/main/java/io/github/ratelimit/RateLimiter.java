package io.github.ratelimit;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Charges policies. All charges of a call are one decision of the store: either every
 * limit has room and all are charged, or none is. Thread-safe.
 */
public final class RateLimiter {

	private final Policies policies;

	private final RateLimitStore store;

	private final Listeners listeners;

	/**
	 * A limiter.
	 * @param policies what may be charged
	 * @param store where the counts live
	 * @param listeners told of every decision
	 */
	public RateLimiter(Policies policies, RateLimitStore store, List<RateLimitListener> listeners) {
		this.policies = policies;
		this.store = store;
		this.listeners = new Listeners(listeners);
	}

	/**
	 * Charges one policy.
	 * @param charge what to charge
	 * @return the decision
	 * @throws IllegalArgumentException if there is no such policy
	 * @throws UnsatisfiableCostException if the cost is above what one of the limits can
	 * ever admit
	 * @throws RateLimitStoreException if the store could not decide
	 */
	public Decision acquire(Charge charge) {
		return acquire(List.of(charge));
	}

	/**
	 * Charges several policies at once, or none of them.
	 * @param charges what to charge, at least one; costs for the same policy and key add
	 * up
	 * @return the decision
	 * @throws IllegalArgumentException if there is no such policy
	 * @throws UnsatisfiableCostException if the cost is above what one of the limits can
	 * ever admit
	 * @throws RateLimitStoreException if the store could not decide
	 */
	public Decision acquire(List<Charge> charges) {
		List<Debit> debits = debits(charges);
		long start = System.nanoTime();
		try {
			Decision decision = this.store.acquire(debits);
			this.listeners.decided(charges, decision, System.nanoTime() - start);
			return decision;
		}
		catch (RateLimitStoreException ex) {
			this.listeners.failed(charges, ex, System.nanoTime() - start);
			throw ex;
		}
	}

	/**
	 * Charges one policy without blocking.
	 * @param charge what to charge
	 * @return the decision, or a {@link RateLimitStoreException}; it may complete on a
	 * thread of the store that must not be blocked
	 * @throws IllegalArgumentException as for {@link #acquire(Charge)}
	 */
	public CompletionStage<Decision> acquireAsync(Charge charge) {
		return acquireAsync(List.of(charge));
	}

	/**
	 * Charges several policies at once, or none of them, without blocking.
	 * @param charges what to charge, at least one; costs for the same policy and key add
	 * up
	 * @return the decision, or a {@link RateLimitStoreException}; it may complete on a
	 * thread of the store that must not be blocked
	 * @throws IllegalArgumentException as for {@link #acquire(List)}
	 */
	public CompletionStage<Decision> acquireAsync(List<Charge> charges) {
		List<Debit> debits = debits(charges);
		long start = System.nanoTime();
		return this.store.acquireAsync(debits)
			.whenComplete((decision, failure) -> told(charges, decision, failure, System.nanoTime() - start));
	}

	private void told(List<Charge> charges, @Nullable Decision decision, @Nullable Throwable failure, long elapsed) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (decision != null) {
			this.listeners.decided(charges, decision, elapsed);
		}
		else if (cause instanceof RateLimitStoreException storeFailure) {
			this.listeners.failed(charges, storeFailure, elapsed);
		}
	}

	private List<Debit> debits(List<Charge> charges) {
		if (charges.isEmpty()) {
			throw new IllegalArgumentException("'charges' must not be empty");
		}
		try {
			return merged(charges).stream().map(this::debit).toList();
		}
		catch (UnsatisfiableCostException ex) {
			this.listeners.unsatisfiable(charges, ex);
			throw ex;
		}
	}

	private Debit debit(Charge charge) {
		List<Limit> limits = this.policies.get(charge.policy()).limits();
		for (Limit limit : limits) {
			if (charge.cost() > limit.burst()) {
				throw new UnsatisfiableCostException(charge, limit);
			}
		}
		return new Debit(charge.policy(), limits, charge.key(), charge.cost());
	}

	private static Collection<Charge> merged(List<Charge> charges) {
		if (charges.size() == 1) {
			return charges;
		}
		Map<Charge, Charge> merged = new LinkedHashMap<>();
		for (Charge charge : charges) {
			merged.merge(new Charge(charge.policy(), charge.key(), 0), charge, Charge::plus);
		}
		return merged.values();
	}

}
