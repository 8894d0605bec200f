package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.detached.Detachments;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The local decision if the store fails, by {@link OnStoreFailure} of each policy.
 * Thread-safe.
 */
final class StoreFallback {

	private final Policies policies;

	private final RateLimitStore store;

	private final MemoryRateLimitStore local;

	private final FailOpenLog failOpenLog;

	/**
	 * Creates a fallback.
	 * @param store the store that may fail
	 * @param local the store that decides instead
	 */
	StoreFallback(Policies policies, RateLimitStore store, MemoryRateLimitStore local) {
		this.policies = policies;
		this.store = store;
		this.local = local;
		this.failOpenLog = new FailOpenLog(policies);
	}

	/** Completes a call after any failure. Rethrows one that is not the store's. */
	Reservation complete(ResolvedCharges charges, @Nullable Throwable failure, CompositeListener.Call call) {
		return complete(charges, storeFailure(failure, call), UnaryOperator.identity(), call);
	}

	private static RateLimitStoreException storeFailure(@Nullable Throwable failure, CompositeListener.Call call) {
		try {
			return storeFailure(failure);
		}
		catch (RuntimeException ex) {
			call.abandoned(ex);
			throw ex;
		}
	}

	/**
	 * Completes a call that the store has failed: decides locally and notifies the
	 * listeners. Throws the failure if a policy denies.
	 * @param entered enters the turn of a call that has to wait
	 */
	Reservation complete(ResolvedCharges charges, RateLimitStoreException failure, UnaryOperator<Reservation> entered,
			CompositeListener.Call call) {
		long elapsed = call.elapsedNanos();
		Reservation local = decide(StoreOperation.ACQUIRE, charges);
		Reservation reservation = (local != null) ? entered.apply(local) : null;
		call.failed(failure, (reservation != null) ? reservation.decision() : null, elapsed);
		if (reservation != null && allows(charges.request())) {
			this.failOpenLog.letThrough(this.store, failure.getKind());
		}
		return orThrow(reservation, failure);
	}

	/**
	 * Acquires or peeks. The decision excludes policies that allow the call, unless they
	 * are in shadow for the key.
	 * @return {@code null} if the call must fail
	 */
	private @Nullable Reservation decide(StoreOperation operation, ResolvedCharges charges) {
		if (fails(charges.request())) {
			return null;
		}
		List<PermitRequest> shares = charges.request()
			.permits()
			.stream()
			.filter((permit) -> is(OnStoreFailure.LOCAL, permit) || isInShadow(permit, charges.request()))
			.map(this::share)
			.toList();
		return charges.reservation(decide(new StoreRequest(operation, shares)), shares, this.local);
	}

	/** Peeks after a failure of the store. Throws the failure if a policy denies. */
	Decision peek(ResolvedCharges charges, RateLimitStoreException failure) {
		return orThrow(decide(StoreOperation.PEEK, charges), failure).decision();
	}

	/** Returns the local decision. Throws the store's failure if there is none. */
	private static Reservation orThrow(@Nullable Reservation reservation, RateLimitStoreException failure) {
		if (reservation == null) {
			throw failure;
		}
		return reservation;
	}

	/** Returns the store's failure. Rethrows any other. */
	static RateLimitStoreException storeFailure(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof RateLimitStoreException storeFailure) {
			return storeFailure;
		}
		if (failure instanceof CancellationException cancelled) {
			throw cancelled;
		}
		throw (failure instanceof CompletionException known) ? known : new CompletionException(failure);
	}

	/**
	 * Returns whether a limit denies the request if the store fails. None in shadow does.
	 */
	boolean fails(StoreRequest request) {
		return isAnyEnforced(OnStoreFailure.DENY, request);
	}

	/**
	 * Returns whether a limit that is enforced at other times lets the request through.
	 */
	private boolean allows(StoreRequest request) {
		return isAnyEnforced(OnStoreFailure.ALLOW, request);
	}

	private boolean isAnyEnforced(OnStoreFailure mode, StoreRequest request) {
		return request.permits().stream().anyMatch((permit) -> !permit.shadow() && is(mode, permit));
	}

	/**
	 * Returns the detached reservations of both stores.
	 * @param corrected receives each charge that is corrected, and by how much
	 */
	Detachments detachments(ObjLongConsumer<DetachedCharge> corrected) {
		return new Detachments(this.store, this.local, corrected);
	}

	/** Returns whether a reservation was charged locally, as the store had failed. */
	boolean isLocal(Reservation reservation) {
		return reservation.store().equals(this.local);
	}

	/** Resets the local counts. */
	void reset(StoreRequest request) {
		this.local.execute(request);
	}

	/**
	 * Admits a cost above the whole share once nothing of the share is spent, and charges
	 * the rest afterwards, so that later calls wait longer. Without permits the store
	 * reports only the time.
	 */
	private Decision decide(StoreRequest shares) {
		List<PermitRequest> capped = shares.permits()
			.stream()
			.map((permit) -> permit.costing(Math.min(permit.cost(), permit.policyLimit().highestCost())))
			.toList();
		Decision decision = this.local.execute(new StoreRequest(shares.operation(), capped));
		List<PermitRequest> owed = shares.permits()
			.stream()
			.filter((permit) -> permit.cost() > permit.policyLimit().highestCost())
			.map((permit) -> permit.costing(permit.cost() - permit.policyLimit().highestCost()))
			.toList();
		if (shares.operation() == StoreOperation.ACQUIRE && decision.allowed() && !owed.isEmpty()) {
			this.local.execute(new StoreRequest(StoreOperation.CHARGE, owed));
		}
		return decision;
	}

	private PermitRequest share(PermitRequest permit) {
		PolicyLimit share = options(permit).localShare().of(permit.policyLimit(), this.store.instances());
		long wait = Math.min(permit.maxWaitMicros(), share.limit().formula().longestWait());
		return new PermitRequest(share, permit.key(), permit.cost(), wait);
	}

	/** Returns whether all limits of the policy are in shadow for the key. */
	private static boolean isInShadow(PermitRequest permit, StoreRequest request) {
		return request.permits()
			.stream()
			.filter((other) -> other.policy().equals(permit.policy()) && other.key().equals(permit.key()))
			.allMatch(PermitRequest::shadow);
	}

	private boolean is(OnStoreFailure mode, PermitRequest permit) {
		return options(permit).onStoreFailure() == mode;
	}

	private PolicyOptions options(PermitRequest permit) {
		return this.policies.get(permit.policy()).options();
	}

}
