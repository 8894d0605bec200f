package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.github.ratelimit.concurrency.AsyncAttempts;
import io.github.ratelimit.concurrency.BlockingAttempts;
import io.github.ratelimit.concurrency.PermitQueues;
import io.github.ratelimit.concurrency.PermitWait;
import io.github.ratelimit.concurrency.ReleasingStore;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The acquisition of permits from the store: those of the limits, or those of grants if
 * the limits have no room.
 */
final class Acquisition {

	private final RateLimitStore store;

	private final Policies policies;

	private final PermitQueues queues;

	/** The store of reservations that hold permits. */
	private final RateLimitStore releasingStore;

	/**
	 * Creates the acquisition of all calls.
	 * @param queues the calls that wait for permits to be released
	 */
	Acquisition(RateLimitStore store, Policies policies, PermitQueues queues) {
		this.store = store;
		this.policies = policies;
		this.queues = queues;
		this.releasingStore = new ReleasingStore(store, queues);
	}

	/** Returns the wait of a call that would hold permits; {@code null} for others. */
	@Nullable PermitWait waitOf(ResolvedCharges resolved, QueuedTurns turns, boolean onThread) {
		return resolved.toHold().isEmpty() ? null : new PermitWait(this.queues, resolved.toHold(), turns, onThread);
	}

	/** Returns the charges of a call that may wait for the rest of its time. */
	static ResolvedCharges remaining(ResolvedCharges resolved, @Nullable PermitWait wait) {
		return (wait != null) ? resolved.afterWaiting(wait.waitedMicros()) : resolved;
	}

	/** Acquires permits on this thread for a call that will hold none. */
	Decision decide(ResolvedCharges resolved) {
		Decision decision = this.store.execute(resolved.request());
		return (decision.allowed() || !mayUseGrants()) ? decision
				: orGranted(resolved, reservation(resolved, decision)).decision();
	}

	/**
	 * Acquires permits on this thread.
	 * @param wait the wait for permits that other calls hold; {@code null} without any
	 */
	Reservation acquire(ResolvedCharges resolved, @Nullable PermitWait wait, CompositeListener.Call call) {
		return (wait == null) ? acquire(resolved, StoreOperation.ACQUIRE)
				: new BlockingAttempts<>(wait, (operation, waited) -> {
					call.startAgain();
					return acquire(resolved.afterWaiting(waited), operation);
				}, Reservation::decision).acquire();
	}

	/**
	 * Acquires permits once.
	 * @param operation to acquire, or to peek for the denial of a call that may not
	 * overtake others
	 */
	private Reservation acquire(ResolvedCharges resolved, StoreOperation operation) {
		return orGranted(resolved,
				reservation(resolved, operation, this.store.execute(resolved.request().with(operation))));
	}

	/** Tries the grants of a denied call, as {@link #decided} does without blocking. */
	private Reservation orGranted(ResolvedCharges resolved, Reservation reservation) {
		ResolvedCharges granted = Grants.insteadOf(resolved, reservation.decision(), this.policies.controls());
		if (granted == null) {
			return reservation;
		}
		Decision second = this.store.execute(granted.request());
		return second.allowed() ? reservation(granted, second) : reservation;
	}

	/**
	 * Acquires permits without blocking.
	 * @param wait as for blocking calls; it ends with the pending call
	 * @param end receives the reservation or the failure, and does not throw
	 */
	void acquireAsync(ResolvedCharges resolved, @Nullable PermitWait wait, CompositeListener.Call call,
			CompletableFuture<?> pending, BiConsumer<@Nullable Reservation, @Nullable Throwable> end) {
		if (wait == null) {
			acquireAsync(resolved, StoreOperation.ACQUIRE, end);
			return;
		}
		CompletableFuture<?> unused = new AsyncAttempts<Reservation>(wait, (operation, waited) -> {
			call.startAgain();
			CompletableFuture<Reservation> tried = new CompletableFuture<>();
			acquireAsync(resolved.afterWaiting(waited), operation, (reservation, failure) -> {
				if (failure != null) {
					tried.completeExceptionally(failure);
				}
				else {
					tried.complete(reservation);
				}
			});
			return tried;
		}, Reservation::decision).acquire(pending).whenComplete(end);
	}

	private void acquireAsync(ResolvedCharges resolved, StoreOperation operation,
			BiConsumer<@Nullable Reservation, @Nullable Throwable> end) {
		executeAsync(resolved.request().with(operation), (decision, failure) -> {
			if (decision == null) {
				end.accept(null, failure);
			}
			else {
				decided(resolved, operation, decision, end);
			}
		});
	}

	/**
	 * Sends a request to the store without blocking. A future for a decision that is at
	 * hand would be garbage.
	 * @param end receives the decision or the failure, and does not throw
	 */
	void executeAsync(StoreRequest request, BiConsumer<@Nullable Decision, @Nullable Throwable> end) {
		CompletableFuture<Decision> decision = this.store.executeAsync(request).toCompletableFuture();
		if (decision.isDone() && !decision.isCompletedExceptionally()) {
			end.accept(decision.join(), null);
			return;
		}
		CompletableFuture<?> unused = decision.whenComplete(end);
	}

	/** Peeks at what is left of the grant of a charge's key, if it has one. */
	OptionalLong grantLeft(Charge charge) {
		Grant grant = this.policies.controls().of(charge.policy(), charge.key()).grant();
		return (grant != null) ? OptionalLong
			.of(this.store.execute(new StoreRequest(StoreOperation.PEEK, List.of(Grants.permit(charge, grant, false))))
				.limits()
				.get(0)
				.remaining()) : OptionalLong.empty();
	}

	/** Returns whether grants of keys may admit calls that the limits deny. */
	boolean mayUseGrants() {
		return !this.policies.controls().isEmpty();
	}

	private void decided(ResolvedCharges resolved, StoreOperation operation, Decision decision,
			BiConsumer<@Nullable Reservation, @Nullable Throwable> end) {
		try {
			decided(resolved, reservation(resolved, operation, decision), end);
		}
		catch (RuntimeException | Error ex) {
			end.accept(null, ex);
		}
	}

	private void decided(ResolvedCharges resolved, Reservation reservation,
			BiConsumer<@Nullable Reservation, @Nullable Throwable> end) {
		ResolvedCharges granted = Grants.insteadOf(resolved, reservation.decision(), this.policies.controls());
		if (granted == null) {
			end.accept(reservation, null);
			return;
		}
		CompletionStage<?> unused = this.store.executeAsync(granted.request())
			.thenApply((second) -> second.allowed() ? reservation(granted, second) : reservation)
			.whenComplete(end);
	}

	private Reservation reservation(ResolvedCharges resolved, StoreOperation operation, Decision decision) {
		return reservation(resolved, (operation == StoreOperation.PEEK) ? resolved.denied(decision) : decision);
	}

	/** Returns the reservation of a call that the store has decided. */
	Reservation reservation(ResolvedCharges resolved, Decision decision) {
		return resolved.reservation(decision, resolved.request().permits(),
				resolved.toHold().isEmpty() ? this.store : this.releasingStore);
	}

	/**
	 * The charges of a denied call that go to grants instead of the limits that denied
	 * it.
	 */
	private static final class Grants {

		private final KeyControls controls;

		private final Decision denial;

		private Grants(KeyControls controls, Decision denial) {
			this.controls = controls;
			this.denial = denial;
		}

		/**
		 * Returns the charges to try instead of denied ones, or {@code null} if one of
		 * them has no grant.
		 */
		static @Nullable ResolvedCharges insteadOf(ResolvedCharges denied, Decision denial, KeyControls controls) {
			return (denial.allowed() || controls.isEmpty()) ? null : new Grants(controls, denial).replaced(denied);
		}

		private @Nullable ResolvedCharges replaced(ResolvedCharges denied) {
			List<Charge> charges = new ArrayList<>();
			Map<Subject, PermitRequest> granted = new LinkedHashMap<>();
			for (Charge charge : denied.charges()) {
				boolean denies = !denied.skipped().contains(charge)
						&& this.denial.isDeniedBy(charge.policy(), charge.key());
				Grant grant = denies ? this.controls.of(charge.policy(), charge.key()).grant() : null;
				if (denies && grant == null) {
					return null;
				}
				charges.add((grant != null) ? new Charge(charge.policy(), grant.id(), charge.cost()) : charge);
				if (grant != null) {
					granted.merge(new Subject(charge.policy(), grant.id()), permit(charge, grant, isHidden(charge)),
							(one, other) -> one.costing(one.cost() + other.cost()));
				}
			}
			return with(denied, charges, granted.values());
		}

		/** Returns {@code null} if a grant can never admit what the call costs. */
		private @Nullable ResolvedCharges with(ResolvedCharges denied, List<Charge> charges,
				Collection<PermitRequest> granted) {
			if (granted.stream().anyMatch((permit) -> permit.cost() > permit.limit().burst())) {
				return null;
			}
			List<PermitRequest> permits = new ArrayList<>(granted);
			denied.request().permits().stream().filter((permit) -> !isReplaced(permit)).forEach(permits::add);
			return denied.with(charges, permits);
		}

		private boolean isReplaced(PermitRequest permit) {
			return this.denial.isDeniedBy(permit.policy(), permit.key())
					&& this.controls.of(permit.policy(), permit.key()).grant() != null;
		}

		private boolean isHidden(Charge charge) {
			return this.denial.limits()
				.stream()
				.anyMatch((limit) -> limit.isOf(charge.policy(), charge.key()) && limit.hidden());
		}

		private static PermitRequest permit(Charge charge, Grant grant, boolean hidden) {
			PolicyLimit limit = new PolicyLimit(charge.policy(), charge.policy(), 0, grant.limit(), 0, 0, false,
					hidden);
			return new PermitRequest(limit, grant.id(), charge.cost(), 0);
		}

	}

}
