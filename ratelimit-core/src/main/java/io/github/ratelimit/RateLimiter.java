package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;

/**
 * Charges policies. All charges of a call are one decision of the store: either every
 * limit has room and all are charged, or none is. Thread-safe.
 *
 * <p>
 * Where a policy lets calls wait, the store gives each its place in line, first come,
 * first served, and the call is held up until then without being asked again. Calls that
 * would hold a thread meanwhile wait only while fewer than {@link Terms#maxWaiting()}
 * threads do for a policy; beyond them they are denied at once.
 *
 * <p>
 * Every operation throws an {@link IllegalArgumentException} if there is no policy of a
 * name. If the store could not carry it out, it is as the policies say: a
 * {@link RateLimitStoreException} where one of them {@linkplain OnStoreFailure#DENY
 * denies}; else what this instance decides, on those limits alone that it counts on its
 * own, and what was to be given back or settled stays as it was charged. A reset always
 * throws that exception. Operations that do not block answer a stage that ends with that
 * failure, or completes on a thread of the store that must not be blocked.
 */
public final class RateLimiter {

	/** Counts that are kept apart while the store fails. */
	private static final int LOCAL_KEYS = 100_000;

	private final Policies policies;

	private final Decisions decisions;

	private final Turns turns;

	/**
	 * A limiter.
	 * @param policies what may be charged
	 * @param store where the counts live
	 * @param listeners told of every decision
	 */
	public RateLimiter(Policies policies, RateLimitStore store, List<RateLimitListener> listeners) {
		this(policies, store, new MemoryRateLimitStore(LOCAL_KEYS), listeners, LimitOverrides.NONE);
	}

	/**
	 * A limiter of callers some of whom have limits of their own, and with a memory store
	 * of the caller's for when the other fails.
	 * @param policies what may be charged
	 * @param store where the counts live
	 * @param local where {@link OnStoreFailure#LOCAL} counts
	 * @param listeners told of every decision
	 * @param overrides the limits of single callers
	 */
	public RateLimiter(Policies policies, RateLimitStore store, MemoryRateLimitStore local,
			List<RateLimitListener> listeners, LimitOverrides overrides) {
		this(policies, new Decisions(policies, store, new Fallback(policies, local), listeners, overrides),
				new Turns(policies, new Listeners(listeners), Pause.REAL));
	}

	RateLimiter(Policies policies, Decisions decisions, Turns turns) {
		this.policies = policies;
		this.decisions = decisions;
		this.turns = turns;
	}

	/**
	 * Charges one policy, and waits if it lets calls wait.
	 * @param charge what to charge
	 * @return the decision
	 * @throws UnsatisfiableCostException if the cost is above what the policy can ever
	 * admit
	 * @throws CancellationException if the thread is interrupted while it waits; what was
	 * charged is given back
	 */
	public Decision acquire(Charge charge) {
		return acquire(List.of(charge));
	}

	/**
	 * Charges several policies at once, or none of them, and waits if they let calls
	 * wait.
	 * @param charges what to charge, at least one; costs for the same policy and key add
	 * up
	 * @return the decision
	 * @throws UnsatisfiableCostException if a cost is above what its policy can ever
	 * admit
	 * @throws CancellationException as for {@link #acquire(Charge)}
	 */
	public Decision acquire(List<Charge> charges) {
		return hold(charges).decision();
	}

	/**
	 * Charges one policy without blocking.
	 * @param charge what to charge
	 * @return the decision, when the call may proceed or is denied; cancelling it before,
	 * as a {@link CompletableFuture}, gives back what the call is charged
	 * @throws UnsatisfiableCostException as for {@link #acquire(Charge)}
	 */
	public CompletionStage<Decision> acquireAsync(Charge charge) {
		return acquireAsync(List.of(charge));
	}

	/**
	 * Charges several policies at once, or none of them, without blocking.
	 * @param charges what to charge, at least one; costs for the same policy and key add
	 * up
	 * @return the decision, as for {@link #acquireAsync(Charge)}
	 * @throws UnsatisfiableCostException as for {@link #acquire(List)}
	 */
	public CompletionStage<Decision> acquireAsync(List<Charge> charges) {
		return pending(charges, Hold::decision);
	}

	/**
	 * Charges as {@link #acquire(List)} does, and remembers what, so that it can be given
	 * back or settled.
	 * @param charges what to charge, at least one
	 * @return what is held; nothing if the decision is a denial
	 */
	public Hold hold(List<Charge> charges) {
		Hold hold = this.decisions.make(charges, this.turns);
		if (hold.decision().waitMicros() > 0) {
			awaitTurn(hold);
		}
		return hold;
	}

	/**
	 * Holds as {@link #hold} does, without blocking.
	 * @param charges what to charge, at least one
	 * @return what is held, when the call may proceed or is denied; cancelling it before,
	 * as a {@link CompletableFuture}, gives back what the call is charged
	 */
	public CompletionStage<Hold> holdAsync(List<Charge> charges) {
		return pending(charges, Function.identity());
	}

	private <T> CompletionStage<T> pending(List<Charge> charges, Function<Hold, T> view) {
		PendingCall<T> call = new PendingCall<>(view, this.turns, this::giveBackAsync);
		this.decisions.makeAsync(charges, call);
		return call;
	}

	/**
	 * What {@link #acquire(List)} would decide now, without charging anything.
	 * @param charges what to ask for, at least one
	 * @return the decision
	 */
	public Decision peek(List<Charge> charges) {
		return this.decisions.peek(charges);
	}

	/**
	 * Peeks as {@link #peek} does, without blocking.
	 * @param charges what to ask for, at least one
	 * @return the decision
	 */
	public CompletionStage<Decision> peekAsync(List<Charge> charges) {
		return this.decisions.peekAsync(charges);
	}

	/**
	 * Gives back what is held, as far as it still counts as spent: what a bucket has
	 * refilled since, or was charged in a window that is over, is not given back twice. A
	 * hold that was given back or settled before is left as it is.
	 * @param hold what to give back
	 */
	public void giveBack(Hold hold) {
		settle(hold, 0);
	}

	/**
	 * Gives back as {@link #giveBack} does, without blocking.
	 * @param hold what to give back
	 * @return completes when it is given back
	 */
	public CompletionStage<Void> giveBackAsync(Hold hold) {
		return settleAsync(hold, 0);
	}

	/**
	 * Makes the cost of each charge of a hold what it turned out to be: gives back what
	 * was charged above it, or charges what lacks even if that does not fit. A hold that
	 * was given back or settled before is left as it is.
	 * @param hold what to settle
	 * @param actual permits that each charge really costs, at least 0
	 */
	public void settle(Hold hold, long actual) {
		for (Settlement settlement : Settlement.of(hold, actual, this.policies)) {
			this.decisions.settle(settlement);
		}
	}

	/**
	 * Settles as {@link #settle} does, without blocking.
	 * @param hold what to settle
	 * @param actual permits that each charge really costs, at least 0
	 * @return completes when it is settled
	 */
	public CompletionStage<Void> settleAsync(Hold hold, long actual) {
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (Settlement settlement : Settlement.of(hold, actual, this.policies)) {
			done = done.thenCompose((before) -> this.decisions.settleAsync(settlement).thenAccept(RateLimiter::ignore));
		}
		return done;
	}

	/**
	 * Forgets all that a key has spent of a policy.
	 * @param policy the policy's name
	 * @param key whose count to forget
	 */
	public void reset(String policy, String key) {
		this.decisions.reset(policy, key);
	}

	/**
	 * Forgets as {@link #reset} does, without blocking.
	 * @param policy the policy's name
	 * @param key whose count to forget
	 * @return completes when it is forgotten
	 */
	public CompletionStage<Void> resetAsync(String policy, String key) {
		return this.decisions.resetAsync(policy, key).thenAccept(RateLimiter::ignore);
	}

	private void awaitTurn(Hold hold) {
		try {
			this.turns.await(hold.decision());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			giveBack(hold);
			throw new CancellationException("Interrupted while waiting for permits");
		}
	}

	private static void ignore(Object answer) {
	}

}
