package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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

	private final FailOpenLog failOpenLog;

	private final Function<List<Charge>, CompletableFuture<ChargedPolicies>> charged;

	Decisions(Policies policies, RateLimitStore store, Fallback fallback, List<RateLimitListener> listeners,
			LimitOverrides overrides) {
		this.policies = policies;
		this.store = store;
		this.fallback = fallback;
		this.listeners = new Listeners(listeners);
		this.failOpenLog = new FailOpenLog(policies);
		this.charged = ChargedPolicies.of(policies, overrides);
	}

	/**
	 * Makes a decision on a call of this thread.
	 * @param turns for which the call is entered if it has to wait; else it is denied
	 */
	Hold make(List<Charge> charges, Turns turns) {
		Call call = turns.bounded(call(charges, this.charged.apply(charges).join()));
		if (call.debits().isEmpty()) {
			return unlimited(call);
		}
		long start = this.listeners.nanoTime();
		try {
			Decision decision = this.store.execute(Operation.ACQUIRE, call.debits());
			Hold hold = call.hold(decision, call.debits(), this.store);
			return made(call, call.mayWait() ? entered(hold, turns) : hold, start);
		}
		catch (RateLimitStoreException ex) {
			return instead(call, ex, (hold) -> entered(hold, turns), start);
		}
	}

	/** Others may have begun to wait since the call was bounded. */
	private Hold entered(Hold hold, Turns turns) {
		if (hold.decision().waitMicros() == 0 || turns.tryEnter(hold.decision())) {
			return hold;
		}
		Settlement.of(hold, 0, this.policies).forEach(this::settle);
		return hold.denied();
	}

	/** Throws what is wrong with the call, where that is known at once. */
	void makeAsync(List<Charge> charges, PendingCall<?> pending) {
		CompletableFuture<ChargedPolicies> charged = this.charged.apply(charges);
		if (charged.isDone()) {
			makeAsync(call(charges, charged.join()), pending);
			return;
		}
		charged.thenAccept((known) -> {
			if (!pending.isDone()) {
				makeAsync(call(charges, known), pending);
			}
		}).exceptionally((failure) -> {
			pending.completeExceptionally(failure);
			return null;
		});
	}

	private void makeAsync(Call call, PendingCall<?> pending) {
		if (call.debits().isEmpty()) {
			pending.decide(() -> unlimited(call));
			return;
		}
		long start = this.listeners.nanoTime();
		CompletableFuture<Decision> decided = this.store.executeAsync(Operation.ACQUIRE, call.debits())
			.toCompletableFuture();
		if (decided.isDone()) {
			pending.decide(() -> made(call, decided, start));
			return;
		}
		CompletableFuture<?> unused = decided
			.whenComplete((decision, failure) -> pending.decide(() -> made(call, decided, start)));
	}

	/** What waits without a thread need not be entered. */
	private Hold made(Call call, CompletableFuture<Decision> decided, long start) {
		try {
			return made(call, call.hold(decided.join(), call.debits(), this.store), start);
		}
		catch (CompletionException ex) {
			return instead(call, storeFailure(ex), UnaryOperator.identity(), start);
		}
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

	private Hold made(Call call, Hold hold, long start) {
		this.listeners.decided(call.asked(), hold.decision(), this.listeners.nanoTime() - start);
		return hold;
	}

	/** Where this instance decides, the call still has to be entered. */
	private Hold instead(Call call, RateLimitStoreException failure, UnaryOperator<Hold> entered, long start) {
		long elapsed = this.listeners.nanoTime() - start;
		Hold local = this.fallback.decide(Operation.ACQUIRE, call);
		Hold hold = (local != null) ? entered.apply(local) : null;
		this.listeners.failed(call.asked(), failure, (hold != null) ? hold.decision() : null, elapsed);
		if (hold != null && this.fallback.letsThrough(call.debits())) {
			this.failOpenLog.letThrough(this.store);
		}
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
