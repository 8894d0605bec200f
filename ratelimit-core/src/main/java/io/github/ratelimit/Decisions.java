package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

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

	private final LimitOverrides overrides;

	Decisions(Policies policies, RateLimitStore store, List<RateLimitListener> listeners, LimitOverrides overrides) {
		this.policies = policies;
		this.store = store;
		this.listeners = new Listeners(listeners);
		this.overrides = overrides;
	}

	Hold make(List<Charge> charges) {
		Call call = call(charges, policies(charges).join());
		return call.hold(call.debits().isEmpty() ? Decision.UNLIMITED : decide(call));
	}

	CompletionStage<Hold> makeAsync(List<Charge> charges) {
		return whenKnown(charges, (charged) -> makeAsync(call(charges, charged)));
	}

	Decision peek(List<Charge> charges) {
		List<Debit> debits = Call.of(charges, policies(charges).join()).debits();
		return debits.isEmpty() ? Decision.UNLIMITED : this.store.execute(Operation.PEEK, debits);
	}

	CompletionStage<Decision> peekAsync(List<Charge> charges) {
		return whenKnown(charges, (charged) -> peekAsync(Call.of(charges, charged)));
	}

	private CompletableFuture<ChargedPolicies> policies(List<Charge> charges) {
		return ChargedPolicies.of(charges, this.policies, this.overrides);
	}

	/** What is wrong with a call is thrown at once, where it is known at once. */
	private <T> CompletionStage<T> whenKnown(List<Charge> charges,
			Function<ChargedPolicies, CompletionStage<T>> decide) {
		CompletableFuture<ChargedPolicies> charged = policies(charges);
		return charged.isDone() ? decide.apply(charged.join()) : charged.thenCompose(decide);
	}

	private CompletionStage<Hold> makeAsync(Call call) {
		return (call.debits().isEmpty() ? CompletableFuture.completedStage(Decision.UNLIMITED) : decideAsync(call))
			.thenApply(call::hold);
	}

	private CompletionStage<Decision> peekAsync(Call call) {
		return call.debits().isEmpty() ? CompletableFuture.completedStage(Decision.UNLIMITED)
				: this.store.executeAsync(Operation.PEEK, call.debits());
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

	private Call call(List<Charge> charges, ChargedPolicies charged) {
		try {
			Call call = Call.of(charges, charged);
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
