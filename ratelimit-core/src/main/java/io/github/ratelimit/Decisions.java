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
 * Has a store decide on calls, or what their policies say where it fails, and tells
 * listeners what came of it.
 */
final class Decisions {

	private final Policies policies;

	private final RateLimitStore store;

	private final Fallback fallback;

	private final Listeners listeners;

	private final Function<List<Charge>, CompletableFuture<ChargedPolicies>> charged;

	Decisions(Policies policies, RateLimitStore store, Fallback fallback, List<RateLimitListener> listeners,
			LimitOverrides overrides) {
		this.policies = policies;
		this.store = store;
		this.fallback = fallback;
		this.listeners = new Listeners(listeners);
		this.charged = ChargedPolicies.of(policies, overrides);
	}

	Hold make(List<Charge> charges) {
		Call call = call(charges, this.charged.apply(charges).join());
		if (call.debits().isEmpty()) {
			return unlimited(call);
		}
		long start = this.listeners.nanoTime();
		try {
			Decision decision = this.store.execute(Operation.ACQUIRE, call.debits());
			return made(call, decision, start);
		}
		catch (RateLimitStoreException ex) {
			return instead(call, ex, start);
		}
	}

	/**
	 * Makes a decision without blocking.
	 * @param view what of it is wanted, so that it takes no stage of its own
	 */
	<T> CompletionStage<T> makeAsync(List<Charge> charges, Function<Hold, T> view) {
		return whenKnown(charges, (charged) -> makeAsync(call(charges, charged), view));
	}

	private <T> CompletionStage<T> makeAsync(Call call, Function<Hold, T> view) {
		if (call.debits().isEmpty()) {
			return CompletableFuture.completedStage(view.apply(unlimited(call)));
		}
		long start = this.listeners.nanoTime();
		return this.store.executeAsync(Operation.ACQUIRE, call.debits())
			.handle((decision, failure) -> view
				.apply((failure == null) ? made(call, decision, start) : instead(call, storeFailure(failure), start)));
	}

	Decision peek(List<Charge> charges) {
		Call call = Call.of(charges, this.charged.apply(charges).join());
		try {
			return call.debits().isEmpty() ? Decision.UNLIMITED : this.store.execute(Operation.PEEK, call.debits());
		}
		catch (RateLimitStoreException ex) {
			return peekInstead(call, ex);
		}
	}

	CompletionStage<Decision> peekAsync(List<Charge> charges) {
		return whenKnown(charges, (charged) -> peekAsync(Call.of(charges, charged)));
	}

	private CompletionStage<Decision> peekAsync(Call call) {
		return call.debits().isEmpty() ? CompletableFuture.completedStage(Decision.UNLIMITED) : orElse(
				this.store.executeAsync(Operation.PEEK, call.debits()), (failure) -> peekInstead(call, failure));
	}

	/** What is wrong with a call is thrown at once, where it is known at once. */
	private <T> CompletionStage<T> whenKnown(List<Charge> charges,
			Function<ChargedPolicies, CompletionStage<T>> decide) {
		CompletableFuture<ChargedPolicies> charged = this.charged.apply(charges);
		return charged.isDone() ? decide.apply(charged.join()) : charged.thenCompose(decide);
	}

	private Hold unlimited(Call call) {
		return call.hold(Decision.UNLIMITED, call.debits(), this.store);
	}

	/** Leaves charged what the store fails to settle, unless a policy says otherwise. */
	void settle(Settlement settlement) {
		try {
			settlement.store().execute(settlement.operation(), settlement.debits());
		}
		catch (RateLimitStoreException ex) {
			settleInstead(settlement, ex);
		}
	}

	CompletionStage<?> settleAsync(Settlement settlement) {
		CompletionStage<Settlement> done = settlement.store()
			.executeAsync(settlement.operation(), settlement.debits())
			.thenApply((decision) -> settlement);
		return orElse(done, (failure) -> settleInstead(settlement, failure));
	}

	/** Forgets what is counted here before the store can fail. */
	void reset(String policy, String key) {
		List<Debit> counts = everyCount(policy, key);
		this.fallback.reset(counts);
		this.store.execute(Operation.RESET, counts);
	}

	CompletionStage<?> resetAsync(String policy, String key) {
		List<Debit> counts = everyCount(policy, key);
		this.fallback.reset(counts);
		return this.store.executeAsync(Operation.RESET, counts);
	}

	private List<Debit> everyCount(String policy, String key) {
		return this.policies.get(policy).everyClause().stream().map((clause) -> new Debit(clause, key, 0, 0)).toList();
	}

	private Call call(List<Charge> charges, ChargedPolicies charged) {
		try {
			Call call = (charges instanceof FixedCharges fixed) ? fixed.call(charged) : Call.of(charges, charged);
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

	private Hold made(Call call, Decision decision, long start) {
		this.listeners.decided(call.asked(), decision, this.listeners.nanoTime() - start);
		return call.hold(decision, call.debits(), this.store);
	}

	private Hold instead(Call call, RateLimitStoreException failure, long start) {
		long elapsed = this.listeners.nanoTime() - start;
		Hold hold = this.fallback.decide(Operation.ACQUIRE, call);
		this.listeners.failed(call.asked(), failure, (hold != null) ? hold.decision() : null, elapsed);
		return orThrow(hold, failure);
	}

	private Decision peekInstead(Call call, RateLimitStoreException failure) {
		return orThrow(this.fallback.decide(Operation.PEEK, call), failure).decision();
	}

	private Settlement settleInstead(Settlement settlement, RateLimitStoreException failure) {
		if (this.fallback.fails(settlement.debits())) {
			throw failure;
		}
		return settlement;
	}

	private static Hold orThrow(@Nullable Hold hold, RateLimitStoreException failure) {
		if (hold == null) {
			throw failure;
		}
		return hold;
	}

	private static <T extends @Nullable Object> CompletionStage<T> orElse(CompletionStage<T> stage,
			Function<RateLimitStoreException, T> instead) {
		return stage.exceptionally((failure) -> instead.apply(storeFailure(failure)));
	}

	/** Throws what is no failure of the store. */
	private static RateLimitStoreException storeFailure(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof RateLimitStoreException storeFailure) {
			return storeFailure;
		}
		throw (failure instanceof CompletionException known) ? known : new CompletionException(failure);
	}

}
