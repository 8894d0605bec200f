package io.github.ratelimit;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A rate limiter. It charges all policies of a call in one decision of the store: either
 * every limit has room and all are charged, or none is. Thread-safe.
 *
 * <p>
 * If a policy lets calls wait, the store gives each its turn, first come, first served.
 * The call waits for that turn without another request. A call that lacks only a permit
 * which another call holds waits for it in a queue of this instance. At most
 * {@link PolicyOptions#maxWaiting()} threads wait for a policy at once; further calls
 * that would block a thread are denied at once.
 *
 * <p>
 * Every operation throws an {@link IllegalArgumentException} if a policy does not exist.
 * Acquiring, reserving and peeking throw a {@link BlockedCallerException} if the key is
 * banned. If the store fails, {@link OnStoreFailure} of the policies applies: any
 * {@code DENY} throws a {@link RateLimitStoreException}, {@code LOCAL} lets this instance
 * decide, {@code ALLOW} ignores the policy. Refunds and adjustments are dropped. A reset,
 * and what has to do with tokens, always throws, a release never. Operations that do not
 * block return a stage, which fails with that exception or completes on a thread of the
 * store that must not be blocked.
 */
public final class RateLimiter implements AutoCloseable {

	private final Policies policies;

	private final DecisionEngine engine;

	private final QueuedTurns turns;

	private final Consumer<Reservation> refund = this::refundAsync;

	/**
	 * Creates a rate limiter.
	 * @param policies the policies that may be charged
	 * @param store keeps the counts
	 * @param listeners notified of every decision
	 */
	public RateLimiter(Policies policies, RateLimitStore store, List<RateLimitListener> listeners) {
		this(policies, store, new MemoryRateLimitStore(MemoryRateLimitStore.STANDARD_KEYS), listeners,
				LimitOverrides.NONE);
	}

	/**
	 * Creates a rate limiter with overrides for single callers and a given memory store
	 * to fall back to.
	 * @param policies the policies that may be charged
	 * @param store keeps the counts
	 * @param local keeps the counts of {@link OnStoreFailure#LOCAL}
	 * @param listeners notified of every decision
	 * @param overrides the limits of single callers
	 */
	public RateLimiter(Policies policies, RateLimitStore store, MemoryRateLimitStore local,
			List<RateLimitListener> listeners, LimitOverrides overrides) {
		this(policies,
				new DecisionEngine(policies, store, new StoreFallback(policies, store, local), listeners, overrides),
				new QueuedTurns(policies, new CompositeListener(listeners), QueuedTurns.Sleeper.of(store)));
	}

	RateLimiter(Policies policies, DecisionEngine engine, QueuedTurns turns) {
		this.policies = policies;
		this.engine = engine;
		this.turns = turns;
	}

	/**
	 * Charges one policy, and waits if the policy lets calls wait.
	 * @param charge the charge
	 * @return the decision
	 * @throws IllegalArgumentException if the policy has a limit on concurrency, whose
	 * permit could not be released: {@link #reserve} instead
	 * @throws UnsatisfiableCostException if no wait would make the cost fit
	 * @throws CancelledWaitException if interrupted in a wait; the charge is refunded
	 */
	public Decision acquire(Charge charge) {
		return acquire(this.engine.resolve(charge));
	}

	/**
	 * Charges several policies at once, or none of them, and waits if they let calls
	 * wait.
	 * @param charges the charges, at least one; costs for the same policy and key add up
	 * @return the decision
	 * @throws UnsatisfiableCostException if no wait would make a cost fit
	 * @throws CancelledWaitException as for {@link #acquire(Charge)}
	 */
	public Decision acquire(List<Charge> charges) {
		return acquire(this.engine.resolve(charges));
	}

	private Decision acquire(ResolvedCharges charges) {
		charges.requireNothingHeld();
		return charges.mayWait() ? reserve(charges).decision() : this.engine.acquire(charges);
	}

	/**
	 * Charges one policy without blocking.
	 * @param charge the charge
	 * @return the decision, once the call may proceed or is denied; cancelling it before,
	 * as a {@link CompletableFuture}, refunds the charge
	 * @throws UnsatisfiableCostException as for {@link #acquire(Charge)}
	 */
	public CompletionStage<Decision> acquireAsync(Charge charge) {
		return acquireAsync(List.of(charge));
	}

	/**
	 * Charges several policies at once, or none of them, without blocking.
	 * @param charges the charges, at least one; costs for the same policy and key add up
	 * @return the decision, as for {@link #acquireAsync(Charge)}
	 * @throws UnsatisfiableCostException as for {@link #acquire(List)}
	 */
	public CompletionStage<Decision> acquireAsync(List<Charge> charges) {
		return this.engine.acquireAsync(charges, this.turns, this.refund);
	}

	/**
	 * Charges as {@link #acquire(List)} does. The reservation can be refunded or
	 * adjusted. If it {@linkplain Reservation#holdsPermits() holds permits}, it must be
	 * {@linkplain #release released} when the call ends.
	 * @param charges the charges, at least one
	 * @return the reservation; nothing is reserved if the decision is a denial
	 */
	public Reservation reserve(List<Charge> charges) {
		return reserve(this.engine.resolve(charges));
	}

	private Reservation reserve(ResolvedCharges charges) {
		Reservation reservation = this.engine.reserve(charges, this.turns);
		if (reservation.decision().waitMicros() > 0) {
			awaitTurn(reservation);
		}
		return reservation;
	}

	/**
	 * Reserves as {@link #reserve} does, without blocking.
	 * @param charges the charges, at least one
	 * @return the reservation, once the call may proceed or is denied; cancelling it
	 * before, as a {@link CompletableFuture}, refunds the charges
	 */
	public CompletionStage<Reservation> reserveAsync(List<Charge> charges) {
		PendingReservation<Reservation> pending = new PendingReservation<>(Function.identity(), this.turns, this.refund,
				true);
		this.engine.reserveAsync(charges, pending);
		return pending;
	}

	/**
	 * Returns what {@link #acquire(List)} would decide now, without charging.
	 * @param charges the charges, at least one
	 * @return the decision
	 */
	public Decision peek(List<Charge> charges) {
		return this.engine.peek(charges);
	}

	/**
	 * Peeks as {@link #peek} does, for operators: what this instance would decide while
	 * the store fails is not what the store has counted.
	 * @param charges the charges, at least one
	 * @return the decision of the store
	 * @throws RateLimitStoreException if the store does not decide, whatever
	 * {@link io.github.ratelimit.policy.OnStoreFailure} of the policies says
	 */
	public Decision peekStore(List<Charge> charges) {
		return this.engine.peekStore(charges);
	}

	/**
	 * Returns how many permits are left of those that an operator has granted a key
	 * beyond its limits.
	 * @param policy the policy's name
	 * @param key the key
	 * @return the permits, at least 0; empty without a grant
	 * @throws RateLimitStoreException if the store does not reply
	 */
	public OptionalLong grantLeft(String policy, String key) {
		return this.engine.grantLeft(new Charge(policy, key, 0));
	}

	/**
	 * Peeks as {@link #peek} does, without blocking.
	 * @param charges the charges, at least one
	 * @return the decision
	 */
	public CompletionStage<Decision> peekAsync(List<Charge> charges) {
		return this.engine.peekAsync(charges);
	}

	/**
	 * Refunds a reservation, as far as it still counts as spent: permits that have been
	 * refilled since, or were charged in a window that has ended, are not refunded. A
	 * reservation that was refunded or adjusted before stays as it is. Permits that the
	 * call holds are {@linkplain #release released} too.
	 * @param reservation the reservation
	 */
	public void refund(Reservation reservation) {
		ReservationAdjustment.refund(reservation, this.engine.listener())
			.forEach((refund) -> refund.execute(this.engine::mustSucceed));
	}

	/**
	 * Refunds as {@link #refund} does, without blocking.
	 * @param reservation the reservation
	 * @return completes after the refund
	 */
	public CompletionStage<Void> refundAsync(Reservation reservation) {
		return executeAsync(ReservationAdjustment.refund(reservation, this.engine.listener()));
	}

	/**
	 * Releases the permits of limits on concurrency that a call holds, as it has ended.
	 * What was charged to other limits stays charged. They are released once at most, at
	 * any time, also after a refund or an adjustment. If the store fails, they return
	 * when their lease ends.
	 * @param reservation the reservation of the call, or a part of it
	 */
	public void release(Reservation reservation) {
		ReservationAdjustment.release(reservation).forEach((release) -> release.execute((request) -> false));
	}

	/**
	 * Releases as {@link #release} does, without blocking.
	 * @param reservation the reservation of the call, or a part of it
	 * @return completes after the release, even if the store fails
	 */
	public CompletionStage<Void> releaseAsync(Reservation reservation) {
		List<ReservationAdjustment> release = ReservationAdjustment.release(reservation);
		return release.isEmpty() ? CompletableFuture.completedFuture(null)
				: release.get(0).executeAsync((request) -> false);
	}

	/**
	 * Adjusts each charge of a reservation to its actual cost: refunds the excess, or
	 * charges the difference even if it does not fit. A reservation that was refunded or
	 * adjusted before stays as it is. A call keeps the permits that it holds.
	 * @param reservation the reservation
	 * @param actual permits that each charge actually costs, at least 0
	 */
	public void adjust(Reservation reservation, long actual) {
		ReservationAdjustment.of(reservation, actual, this.policies, this.engine.listener())
			.forEach((adjustment) -> adjustment.execute(this.engine::mustSucceed));
	}

	/**
	 * Adjusts as {@link #adjust} does, without blocking.
	 * @param reservation the reservation
	 * @param actual permits that each charge actually costs, at least 0
	 * @return completes after the adjustment
	 */
	public CompletionStage<Void> adjustAsync(Reservation reservation, long actual) {
		return executeAsync(ReservationAdjustment.of(reservation, actual, this.policies, this.engine.listener()));
	}

	private CompletionStage<Void> executeAsync(List<ReservationAdjustment> adjustments) {
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (ReservationAdjustment adjustment : adjustments) {
			done = done.thenCompose((before) -> adjustment.executeAsync(this.engine::mustSucceed));
		}
		return done;
	}

	/**
	 * Detaches a reservation from this process: it is settled by its token, in any
	 * process whose limiter has the same store, and no longer by the reservation. The
	 * store must not fail, or the reservation stays charged, unless the terms refund it.
	 * @param reservation a reservation that was not adjusted, refunded or detached before
	 * @param terms how long it can be settled, and what happens otherwise
	 * @return a token that is safe in URLs, usually of 100 to 200 characters for each
	 * charge. Whoever has it can settle the reservation
	 * @throws IllegalArgumentException if nothing is reserved, or permits are held
	 * @throws RateLimitStoreException if the store fails, whatever the policies say
	 */
	public String detach(Reservation reservation, TokenTerms terms) {
		return DecisionEngine.join(this.engine.detach(reservation, terms));
	}

	/**
	 * Detaches as {@link #detach} does, without blocking.
	 * @param reservation as for {@link #detach}
	 * @param terms as for {@link #detach}
	 * @return the token
	 */
	public CompletionStage<String> detachAsync(Reservation reservation, TokenTerms terms) {
		return this.engine.detach(reservation, terms);
	}

	/**
	 * Refunds a detached reservation as {@link #refund(Reservation)} does, once at most
	 * in all processes. A call that failed can be repeated.
	 * @param token the token of the reservation
	 * @return whether it was refunded now, or why not
	 * @throws IllegalArgumentException if the text is no token
	 * @throws RateLimitStoreException if the store fails, whatever the policies say
	 */
	public Settlement refund(String token) {
		return DecisionEngine.join(refundAsync(token));
	}

	/**
	 * Refunds as {@link #refund(String)} does, without blocking.
	 * @param token the token of the reservation
	 * @return whether it was refunded now, or why not
	 */
	public CompletionStage<Settlement> refundAsync(String token) {
		return this.engine.settle(token, (charge) -> 0);
	}

	/**
	 * Adjusts a detached reservation as {@link #adjust(Reservation, long)} does, once at
	 * most in all processes. A call that failed can be repeated.
	 * @param token the token of the reservation
	 * @param actual permits that each charge actually costs, at least 0
	 * @return whether it was adjusted now, or why not
	 * @throws IllegalArgumentException if the text is no token
	 * @throws RateLimitStoreException if the store fails, whatever the policies say
	 */
	public Settlement adjust(String token, long actual) {
		return DecisionEngine.join(adjustAsync(token, actual));
	}

	/**
	 * Adjusts as {@link #adjust(String, long)} does, without blocking.
	 * @param token the token of the reservation
	 * @param actual permits that each charge actually costs, at least 0
	 * @return whether it was adjusted now, or why not
	 */
	public CompletionStage<Settlement> adjustAsync(String token, long actual) {
		return this.engine.settle(token, ReservationAdjustment.detached(actual, this.policies));
	}

	/**
	 * Resets every count of a key in a policy.
	 * @param policy the policy's name
	 * @param key the key to reset
	 */
	public void reset(String policy, String key) {
		this.engine.reset(policy, key);
	}

	/**
	 * Resets as {@link #reset} does, without blocking.
	 * @param policy the policy's name
	 * @param key the key to reset
	 * @return completes after the reset
	 */
	public CompletionStage<Void> resetAsync(String policy, String key) {
		return this.engine.resetAsync(policy, key).<Void>thenApply((reset) -> null);
	}

	/**
	 * Stops renewing the permits that calls hold, which return when their leases end, and
	 * refunding detached reservations. Calls that wait for permits end with a
	 * {@link CancelledWaitException}.
	 */
	@Override
	public void close() {
		this.engine.close();
	}

	private void awaitTurn(Reservation reservation) {
		try {
			this.turns.await(reservation.decision());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			CompletionStage<Void> unused = refundAsync(reservation);
			throw new CancelledWaitException("Interrupted while waiting for permits");
		}
	}

}
