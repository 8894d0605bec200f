package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.ratelimit.concurrency.Heartbeat;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The engine that decides calls. It resolves their charges, sends them to the store,
 * falls back if the store fails, and notifies the listeners.
 */
final class DecisionEngine {

	private final Policies policies;

	private final RateLimitStore store;

	private final StoreFallback fallback;

	private final CompositeListener listeners;

	private final FailOpenLog failOpenLog;

	private final Heartbeat heartbeat;

	private final Function<List<Charge>, CompletableFuture<EffectivePolicies>> effectivePolicies;

	DecisionEngine(Policies policies, RateLimitStore store, StoreFallback fallback, List<RateLimitListener> listeners,
			LimitOverrides overrides) {
		this.policies = policies;
		this.store = store;
		this.fallback = fallback;
		this.listeners = new CompositeListener(listeners);
		this.failOpenLog = new FailOpenLog(policies);
		this.heartbeat = new Heartbeat(this.listeners::leaseLost);
		this.effectivePolicies = EffectivePolicies.of(policies, overrides);
	}

	/**
	 * Reserves permits for a call on this thread.
	 * @param turns entered by a call that has to wait; a call that cannot enter is denied
	 * @param releasable whether the caller can release permits that the call would hold
	 */
	Reservation reserve(List<Charge> charges, Turns turns, boolean releasable) {
		ResolvedCharges resolved = turns.bounded(resolve(charges, this.effectivePolicies.apply(charges).join()));
		if (!releasable) {
			resolved.requireNothingHeld();
		}
		if (!resolved.isLimited()) {
			return reservation(resolved, Decision.UNLIMITED);
		}
		CompositeListener.Call call = this.listeners.start(resolved.requested());
		try {
			Reservation reservation = acquire(resolved);
			return decided(resolved.mayWait() ? entered(reservation, turns) : reservation, call);
		}
		catch (RateLimitStoreException ex) {
			return fallBack(resolved, ex, (local) -> entered(local, turns), call);
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	/** Acquires permits, or those of grants if the limits have no room. */
	private Reservation acquire(ResolvedCharges resolved) {
		Reservation reservation = reservation(resolved, this.store.execute(resolved.request()));
		ResolvedCharges granted = Grants.insteadOf(resolved, reservation.decision(), this.policies.controls());
		Decision second = (granted != null) ? this.store.execute(granted.request()) : reservation.decision();
		return (granted != null && second.allowed()) ? reservation(granted, second) : reservation;
	}

	/**
	 * Enters a call that has to wait. Others may have entered since it was bounded.
	 */
	private Reservation entered(Reservation reservation, Turns turns) {
		if (reservation.decision().waitMicros() == 0 || turns.tryEnter(reservation.decision())) {
			return reservation;
		}
		ReservationAdjustment.refund(reservation).forEach((refund) -> refund.execute(this::mustSucceed));
		return reservation.denied();
	}

	/**
	 * Reserves permits without blocking. Throws a mistake of the call that is known at
	 * once; a later one fails the pending call.
	 */
	void reserveAsync(List<Charge> charges, PendingReservation<?> pending) {
		CompletableFuture<EffectivePolicies> policies = this.effectivePolicies.apply(charges);
		if (policies.isDone()) {
			reserveAsync(resolve(charges, policies.join()), pending);
			return;
		}
		policies.thenAccept((known) -> {
			if (!pending.isDone()) {
				reserveAsync(resolve(charges, known), pending);
			}
		}).exceptionally((failure) -> {
			pending.completeExceptionally(failure);
			return null;
		});
	}

	private void reserveAsync(ResolvedCharges resolved, PendingReservation<?> pending) {
		if (!pending.isReleasable()) {
			resolved.requireNothingHeld();
		}
		if (!resolved.isLimited()) {
			pending.decide(() -> reservation(resolved, Decision.UNLIMITED));
			return;
		}
		CompositeListener.Call call = this.listeners.start(resolved.requested());
		CompletableFuture<Decision> decision = executeAsync(resolved, call);
		if (decision.isDone()) {
			decide(resolved, pending, decision, call);
			return;
		}
		CompletableFuture<?> unused = decision
			.whenComplete((result, failure) -> decide(resolved, pending, decision, call));
	}

	private CompletableFuture<Decision> executeAsync(ResolvedCharges resolved, CompositeListener.Call call) {
		try {
			return this.store.executeAsync(resolved.request()).toCompletableFuture();
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	private void decide(ResolvedCharges resolved, PendingReservation<?> pending, CompletableFuture<Decision> decision,
			CompositeListener.Call call) {
		ResolvedCharges granted = decision.isCompletedExceptionally() ? null
				: Grants.insteadOf(resolved, decision.join(), this.policies.controls());
		if (granted == null) {
			pending.decide(() -> decided(resolved, decision, call));
			return;
		}
		CompletableFuture<Decision> second = executeAsync(granted, call);
		CompletableFuture<?> unused = second
			.whenComplete((result, failure) -> pending.decide(() -> (failure == null && !result.allowed())
					? decided(resolved, decision, call) : decided(granted, second, call)));
	}

	/** Decides without entering a turn, as the call waits without a thread. */
	private Reservation decided(ResolvedCharges resolved, CompletableFuture<Decision> decision,
			CompositeListener.Call call) {
		try {
			return decided(reservation(resolved, decision.join()), call);
		}
		catch (CompletionException | CancellationException ex) {
			if (ex.getCause() instanceof RateLimitStoreException failure) {
				return fallBack(resolved, failure, UnaryOperator.identity(), call);
			}
			call.abandoned(ex);
			throw ex;
		}
	}

	Decision peek(List<Charge> charges) {
		ResolvedCharges resolved = ResolvedCharges.of(charges, this.effectivePolicies.apply(charges).join());
		try {
			return resolved.isLimited() ? this.store.execute(resolved.request().with(StoreOperation.PEEK))
					: Decision.UNLIMITED;
		}
		catch (RateLimitStoreException ex) {
			return peekLocally(resolved, ex);
		}
	}

	CompletionStage<Decision> peekAsync(List<Charge> charges) {
		CompletableFuture<EffectivePolicies> policies = this.effectivePolicies.apply(charges);
		return policies.isDone() ? peekAsync(ResolvedCharges.of(charges, policies.join()))
				: policies.thenCompose((known) -> peekAsync(ResolvedCharges.of(charges, known)));
	}

	private CompletionStage<Decision> peekAsync(ResolvedCharges resolved) {
		return resolved.isLimited()
				? orElse(this.store.executeAsync(resolved.request().with(StoreOperation.PEEK)),
						(failure) -> peekLocally(resolved, failure))
				: CompletableFuture.completedStage(Decision.UNLIMITED);
	}

	private Reservation reservation(ResolvedCharges resolved, Decision decision) {
		return resolved.reservation(decision, resolved.request().permits(), this.store);
	}

	/**
	 * Returns whether an adjustment is not dropped if the store fails, as a policy
	 * denies.
	 */
	boolean mustSucceed(StoreRequest adjustment) {
		return this.fallback.fails(adjustment);
	}

	/** Resets a key. Local counts come first, before the store can fail. */
	void reset(String policy, String key) {
		StoreRequest request = this.policies.get(policy).resetOf(key);
		this.fallback.reset(request);
		this.store.execute(request);
	}

	CompletionStage<?> resetAsync(String policy, String key) {
		StoreRequest request = this.policies.get(policy).resetOf(key);
		this.fallback.reset(request);
		return this.store.executeAsync(request);
	}

	private ResolvedCharges resolve(List<Charge> charges, EffectivePolicies policies) {
		try {
			ResolvedCharges resolved = Resolution.of(charges, policies);
			if (!resolved.skipped().isEmpty()) {
				this.listeners.skipped(resolved.skipped());
			}
			return resolved;
		}
		catch (UnsatisfiableCostException ex) {
			this.listeners.unsatisfiable(charges, ex);
			throw ex;
		}
		catch (BlockedCallerException ex) {
			this.listeners.refused(ex);
			throw ex;
		}
	}

	private Reservation decided(Reservation reservation, CompositeListener.Call call) {
		call.decided(reservation.decision());
		return kept(reservation);
	}

	/** Renews the permits that the call holds, if any. */
	private Reservation kept(Reservation reservation) {
		if (reservation.holdsPermits()) {
			reservation.held().forEach(this.heartbeat::keep);
		}
		return reservation;
	}

	/** Stops renewing permits. */
	void close() {
		this.heartbeat.close();
	}

	/** Decides locally. A call that has to wait still enters its turn. */
	private Reservation fallBack(ResolvedCharges resolved, RateLimitStoreException failure,
			UnaryOperator<Reservation> entered, CompositeListener.Call call) {
		long elapsed = call.elapsedNanos();
		Reservation local = this.fallback.decide(StoreOperation.ACQUIRE, resolved);
		Reservation reservation = (local != null) ? entered.apply(local) : null;
		call.failed(failure, (reservation != null) ? reservation.decision() : null, elapsed);
		if (reservation != null && this.fallback.allows(resolved.request())) {
			this.failOpenLog.letThrough(this.store);
		}
		return kept(orThrow(reservation, failure));
	}

	private Decision peekLocally(ResolvedCharges resolved, RateLimitStoreException failure) {
		return orThrow(this.fallback.decide(StoreOperation.PEEK, resolved), failure).decision();
	}

	private static Reservation orThrow(@Nullable Reservation reservation, RateLimitStoreException failure) {
		if (reservation == null) {
			throw failure;
		}
		return reservation;
	}

	private static <T extends @Nullable Object> CompletionStage<T> orElse(CompletionStage<T> stage,
			Function<RateLimitStoreException, T> instead) {
		return stage.exceptionally((failure) -> instead.apply(storeFailure(failure)));
	}

	/** Returns the store's failure. Rethrows any other. */
	private static RateLimitStoreException storeFailure(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof RateLimitStoreException storeFailure) {
			return storeFailure;
		}
		throw (failure instanceof CompletionException known) ? known : new CompletionException(failure);
	}

}
