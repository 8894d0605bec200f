package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
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
		return call.hold(call.debits().isEmpty() ? Decision.UNLIMITED : decide(call));
	}

	CompletionStage<Hold> makeAsync(List<Charge> charges) {
		Call call = call(charges);
		return (call.debits().isEmpty() ? CompletableFuture.completedStage(Decision.UNLIMITED) : decideAsync(call))
			.thenApply(call::hold);
	}

	Decision peek(List<Charge> charges) {
		List<Debit> debits = Call.of(charges, this.policies).debits();
		return debits.isEmpty() ? Decision.UNLIMITED : this.store.execute(Operation.PEEK, debits);
	}

	CompletionStage<Decision> peekAsync(List<Charge> charges) {
		List<Debit> debits = Call.of(charges, this.policies).debits();
		return debits.isEmpty() ? CompletableFuture.completedStage(Decision.UNLIMITED)
				: this.store.executeAsync(Operation.PEEK, debits);
	}

	private Decision decide(Call call) {
		long start = System.nanoTime();
		try {
			Decision decision = this.store.execute(Operation.ACQUIRE, call.debits());
			this.listeners.decided(call.asked(), decision, System.nanoTime() - start);
			return decision;
		}
		catch (RateLimitStoreException ex) {
			this.listeners.failed(call.asked(), ex, System.nanoTime() - start);
			throw ex;
		}
	}

	private CompletionStage<Decision> decideAsync(Call call) {
		long start = System.nanoTime();
		return this.store.executeAsync(Operation.ACQUIRE, call.debits())
			.whenComplete((decision, failure) -> told(call.asked(), decision, failure, System.nanoTime() - start));
	}

	private Call call(List<Charge> charges) {
		try {
			Call call = Call.of(charges, this.policies);
			if (!call.skipped().isEmpty()) {
				this.listeners.skipped(call.skipped());
			}
			return call;
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
