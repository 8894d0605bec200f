package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Has a store decide on calls, and tells listeners what came of it.
 */
final class Decisions {

	private final Policies policies;

	private final RateLimitStore store;

	private final Listeners listeners;

	Decisions(Policies policies, RateLimitStore store, List<RateLimitListener> listeners) {
		this.policies = policies;
		this.store = store;
		this.listeners = new Listeners(listeners);
	}

	Hold make(List<Charge> charges) {
		Call call = call(charges);
		long start = System.nanoTime();
		try {
			Decision decision = this.store.execute(Operation.ACQUIRE, call.debits());
			this.listeners.decided(charges, decision, System.nanoTime() - start);
			return call.hold(decision);
		}
		catch (RateLimitStoreException ex) {
			this.listeners.failed(charges, ex, System.nanoTime() - start);
			throw ex;
		}
	}

	CompletionStage<Hold> makeAsync(List<Charge> charges) {
		Call call = call(charges);
		long start = System.nanoTime();
		return this.store.executeAsync(Operation.ACQUIRE, call.debits())
			.whenComplete((decision, failure) -> told(charges, decision, failure, System.nanoTime() - start))
			.thenApply(call::hold);
	}

	private Call call(List<Charge> charges) {
		try {
			return Call.of(charges, this.policies);
		}
		catch (UnsatisfiableCostException ex) {
			this.listeners.unsatisfiable(charges, ex);
			throw ex;
		}
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

}
