package io.github.ratelimit;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import io.github.ratelimit.concurrency.Heartbeat;
import io.github.ratelimit.concurrency.PermitQueues;
import io.github.ratelimit.concurrency.PermitWait;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.Detachments;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.DetachedCharge;
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

	private static final RateLimitListener UNNOTIFIED = new RateLimitListener() {
	};

	private final RateLimitStore store;

	private final StoreFallback fallback;

	private final CompositeListener listeners;

	private final Heartbeat heartbeat;

	private final PermitQueues queues = new PermitQueues();

	private final Acquisition acquisition;

	private final EffectivePolicies.Lookup effectivePolicies;

	private final Detachments detachments;

	DecisionEngine(Policies policies, RateLimitStore store, StoreFallback fallback, List<RateLimitListener> listeners,
			LimitOverrides overrides) {
		this.store = store;
		this.fallback = fallback;
		this.listeners = new CompositeListener(listeners);
		this.heartbeat = new Heartbeat(this.listeners::leaseLost);
		this.acquisition = new Acquisition(store, policies, this.queues);
		this.effectivePolicies = new EffectivePolicies.Lookup(policies, overrides);
		this.detachments = fallback.detachments(this::corrected);
	}

	/**
	 * Decides a call that neither waits nor holds permits, the usual one. As nothing is
	 * left to do when it ends, there is no reservation.
	 */
	Decision acquire(ResolvedCharges resolved) {
		if (!resolved.isLimited()) {
			return Decision.UNLIMITED;
		}
		CompositeListener.Call call = start(resolved);
		try {
			Decision decision = this.acquisition.decide(resolved);
			call.decided(decision);
			return decision;
		}
		catch (RateLimitStoreException ex) {
			return this.fallback.complete(resolved, ex, call).decision();
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	/**
	 * Reserves permits for a call on this thread.
	 * @param turns entered by a call that has to wait; a call that cannot enter is denied
	 */
	Reservation reserve(ResolvedCharges charged, QueuedTurns turns) {
		ResolvedCharges resolved = charged.mayWait() ? turns.bounded(charged) : charged;
		if (!resolved.isLimited()) {
			return this.acquisition.reservation(resolved, Decision.UNLIMITED);
		}
		CompositeListener.Call call = start(resolved);
		PermitWait wait = this.acquisition.waitOf(resolved, turns, true);
		try {
			Reservation reservation = this.acquisition.acquire(resolved, wait, call);
			return decided(resolved.mayWait() ? entered(reservation, turns) : reservation, call);
		}
		catch (RateLimitStoreException ex) {
			ResolvedCharges remaining = Acquisition.remaining(resolved, wait);
			return kept(this.fallback.complete(remaining, ex, (local) -> entered(local, turns), call));
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	private CompositeListener.Call start(ResolvedCharges resolved) {
		return this.listeners.start(resolved.requested(), !this.store.isInProcess());
	}

	/**
	 * Enters a call that has to wait. Others may have entered since it was bounded. No
	 * listener was notified of the call yet.
	 */
	private Reservation entered(Reservation reservation, QueuedTurns turns) {
		if (reservation.decision().waitMicros() == 0 || turns.tryEnter(reservation.decision())) {
			return reservation;
		}
		ReservationAdjustment.refund(reservation, UNNOTIFIED).forEach((refund) -> refund.execute(this::mustSucceed));
		return reservation.denied();
	}

	/**
	 * Decides a call without blocking. Throws a mistake of the call that is known at
	 * once; a later one fails the pending call.
	 * @param turns the turns to wait for, without a thread
	 * @param refund refunds the charge of a cancelled call
	 */
	CompletableFuture<Decision> acquireAsync(List<Charge> charges, QueuedTurns turns, Consumer<Reservation> refund) {
		CompletableFuture<EffectivePolicies> policies = this.effectivePolicies.of(charges);
		ResolvedCharges resolved = policies.isDone() ? resolve(charges, policies.join()) : null;
		if (resolved != null && resolved.isDecidedOnce() && !this.acquisition.mayUseGrants()) {
			return decideAsync(resolved, refund);
		}
		PendingReservation<Decision> pending = new PendingReservation<>(Reservation::decision, turns, refund, false);
		if (resolved != null) {
			reserveAsync(resolved, pending);
		}
		else {
			reserveLater(charges, policies, pending);
		}
		return pending;
	}

	private PendingDecision decideAsync(ResolvedCharges resolved, Consumer<Reservation> refund) {
		CompositeListener.Call call = start(resolved);
		PendingDecision pending = new PendingDecision(resolved, call, this.acquisition, this.fallback, refund);
		try {
			this.acquisition.executeAsync(resolved.request(), pending);
			return pending;
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	/**
	 * Reserves permits without blocking. Throws a mistake of the call that is known at
	 * once; a later one fails the pending call.
	 */
	void reserveAsync(List<Charge> charges, PendingReservation<?> pending) {
		CompletableFuture<EffectivePolicies> policies = this.effectivePolicies.of(charges);
		if (policies.isDone()) {
			reserveAsync(resolve(charges, policies.join()), pending);
		}
		else {
			reserveLater(charges, policies, pending);
		}
	}

	private void reserveLater(List<Charge> charges, CompletableFuture<EffectivePolicies> policies,
			PendingReservation<?> pending) {
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
			pending.decided(this.acquisition.reservation(resolved, Decision.UNLIMITED));
			return;
		}
		CompositeListener.Call call = start(resolved);
		PermitWait wait = this.acquisition.waitOf(resolved, pending.turns(), false);
		try {
			this.acquisition.acquireAsync(resolved, wait, call, pending, (reservation,
					failure) -> end(Acquisition.remaining(resolved, wait), reservation, failure, pending, call));
		}
		catch (RuntimeException | Error ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	/** Ends a call without entering a turn, as it waits without a thread. */
	private void end(ResolvedCharges resolved, @Nullable Reservation reservation, @Nullable Throwable failure,
			PendingReservation<?> pending, CompositeListener.Call call) {
		try {
			pending.decided((reservation != null) ? decided(reservation, call)
					: kept(this.fallback.complete(resolved, failure, call)));
		}
		catch (RuntimeException | Error ex) {
			pending.completeExceptionally(ex);
		}
	}

	Decision peek(List<Charge> charges) {
		ResolvedCharges resolved = ResolvedCharges.of(charges, this.effectivePolicies.of(charges).join());
		try {
			return peekStore(resolved);
		}
		catch (RateLimitStoreException ex) {
			return this.fallback.peek(resolved, ex);
		}
	}

	/** Peeks without a fallback: throws if the store fails. */
	Decision peekStore(List<Charge> charges) {
		return peekStore(ResolvedCharges.of(charges, this.effectivePolicies.of(charges).join()));
	}

	private Decision peekStore(ResolvedCharges resolved) {
		return resolved.isLimited() ? this.store.execute(resolved.request().with(StoreOperation.PEEK))
				: Decision.UNLIMITED;
	}

	OptionalLong grantLeft(Charge charge) {
		return this.acquisition.grantLeft(charge);
	}

	CompletionStage<Decision> peekAsync(List<Charge> charges) {
		return this.effectivePolicies.whenKnown(charges, (known) -> peekAsync(ResolvedCharges.of(charges, known)));
	}

	private CompletionStage<Decision> peekAsync(ResolvedCharges resolved) {
		return resolved.isLimited()
				? this.store.executeAsync(resolved.request().with(StoreOperation.PEEK))
					.exceptionally((failure) -> this.fallback.peek(resolved, StoreFallback.storeFailure(failure)))
				: CompletableFuture.completedStage(Decision.UNLIMITED);
	}

	/** Returns the listener to notify of adjustments. */
	RateLimitListener listener() {
		return this.listeners;
	}

	/** Returns whether an adjustment fails if the store does, as a policy denies. */
	boolean mustSucceed(StoreRequest adjustment) {
		return this.fallback.fails(adjustment);
	}

	/** Detaches a reservation from this process. */
	CompletionStage<String> detach(Reservation reservation, TokenTerms terms) {
		reservation.requireDetachable();
		return this.detachments.detach(this.fallback.isLocal(reservation), terms, reservation::detach);
	}

	/** Notifies the listeners of the correction of a detached charge. */
	private void corrected(DetachedCharge charge, long difference) {
		String key = charge.notified();
		if (key != null && difference != 0) {
			this.listeners.adjusted(new Charge(charge.policy(), key, charge.cost()), difference);
		}
	}

	/** Settles a reservation that any process has detached. */
	CompletionStage<Settlement> settle(String token, ToLongFunction<DetachedCharge> actual) {
		return this.detachments.settle(token, actual);
	}

	/** Waits for a stage, and throws what it fails with. */
	static <T> T join(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	/** Resets a key. Local counts come first, before the store can fail. */
	void reset(String policy, String key) {
		Charge charge = Charge.of(policy, key);
		this.store.execute(resetLocally(charge, this.effectivePolicies.of(List.of(charge)).join()));
	}

	CompletionStage<?> resetAsync(String policy, String key) {
		Charge charge = Charge.of(policy, key);
		return this.effectivePolicies.whenKnown(List.of(charge),
				(known) -> this.store.executeAsync(resetLocally(charge, known)));
	}

	private StoreRequest resetLocally(Charge charge, EffectivePolicies policies) {
		StoreRequest request = policies.resetOf(charge);
		this.fallback.reset(request);
		return request;
	}

	/** Resolves one charge. A cached resolution needs no list. */
	ResolvedCharges resolve(Charge charge) {
		ResolvedCharges known = this.effectivePolicies.cached(charge);
		return (known != null && known.isLimited()) ? known : resolve(List.of(charge));
	}

	/** Resolves charges, waiting for the overrides of callers that are not at hand. */
	ResolvedCharges resolve(List<Charge> charges) {
		return resolve(charges, this.effectivePolicies.of(charges).join());
	}

	private ResolvedCharges resolve(List<Charge> charges, EffectivePolicies policies) {
		try {
			ResolvedCharges resolved = policies.resolve(charges);
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

	/**
	 * Stops renewing permits and refunding detached reservations, and ends the waits for
	 * permits.
	 */
	void close() {
		this.detachments.close();
		this.queues.close();
		this.heartbeat.close();
	}

}
