package io.github.ratelimit.spring.charge;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The gate that every call enters, whatever its protocol. It reserves the charges of the
 * call, records the decision with the request, and fails with the denial or returns the
 * admission, which ends the call. Calls that must not block enter by the
 * {@link ReactiveGate}. Thread-safe.
 */
public final class Gate {

	private final RateLimiter limiter;

	/**
	 * Creates a gate.
	 * @param limiter decides and adjusts
	 */
	public Gate(RateLimiter limiter) {
		this.limiter = limiter;
	}

	/**
	 * Lets a call enter, which may block.
	 * @param charges the charges of the call, none for a call without limits
	 * @param request the request that the call is part of, or {@link RequestCharges#NONE}
	 * @param name the name of the call for messages, or {@code null}
	 * @return the admission, whose end the caller must report
	 * @throws RateLimitExceededException if the call is denied
	 */
	public Admission enter(CallCharges charges, RequestCharges request, @Nullable String name) {
		return charges.isEmpty() ? Admission.NONE
				: admit(this.limiter.reserve(charges.charges()), charges, request, name);
	}

	/**
	 * Lets a call enter on a thread that must not block.
	 * @param charges the charges of the call
	 * @param request the request that the call is part of, or {@link RequestCharges#NONE}
	 * @param name the name of the call for messages, or {@code null}
	 * @return the admission, whose end the caller must report
	 * @throws RateLimitExceededException if the call is denied
	 * @throws IllegalStateException if the call would have to wait for its decision
	 */
	public Admission enterAtOnce(CallCharges charges, RequestCharges request, @Nullable String name) {
		if (charges.isEmpty()) {
			return Admission.NONE;
		}
		Entry entry = begin(charges, request, name);
		if (!entry.isDecided()) {
			entry.abandon();
			throw new IllegalStateException("@RateLimited on " + name
					+ " would block an event loop: return a Mono, a Flux or a CompletableFuture, or call it elsewhere");
		}
		return entry.start();
	}

	/**
	 * Charges a call that was made without a decision, even if it is denied.
	 * @param charges the charges of the call
	 * @param request the request that the call is part of
	 */
	public void charge(CallCharges charges, RequestCharges request) {
		if (!charges.isEmpty()) {
			open(this.limiter.reserve(charges.charges()), charges, request);
		}
	}

	/** Begins to decide without blocking. */
	Entry begin(CallCharges charges, RequestCharges request, @Nullable String name) {
		return new Entry(this, charges, request, name,
				this.limiter.reserveAsync(charges.charges()).toCompletableFuture());
	}

	/** Decides, which may block, for a call that starts later. */
	Entry decide(CallCharges charges, RequestCharges request, @Nullable String name) {
		return new Entry(this, charges, request, name,
				CompletableFuture.completedFuture(this.limiter.reserve(charges.charges())));
	}

	private Admission admit(Reservation reservation, CallCharges charges, RequestCharges request,
			@Nullable String name) {
		Decision decision = reservation.decision();
		request.addDecision(decision);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision, name);
		}
		return open(reservation, charges, request);
	}

	private Admission open(Reservation reservation, CallCharges charges, RequestCharges request) {
		return request.open(reservation, charges, this.limiter);
	}

	private void refund(Reservation reservation) {
		Admission.logFailure(this.limiter.refundAsync(reservation));
	}

	/**
	 * A call on its way through a gate, whose decision may be under way. It starts or is
	 * abandoned, whatever comes first. Thread-safe.
	 */
	static final class Entry {

		private final Gate gate;

		private final CallCharges charges;

		private final RequestCharges request;

		private final @Nullable String name;

		private final CompletableFuture<Reservation> pending;

		private final AtomicBoolean left = new AtomicBoolean();

		Entry(Gate gate, CallCharges charges, RequestCharges request, @Nullable String name,
				CompletableFuture<Reservation> pending) {
			this.gate = gate;
			this.charges = charges;
			this.request = request;
			this.name = name;
			this.pending = pending;
		}

		boolean isDecided() {
			return this.pending.isDone();
		}

		/**
		 * Runs a task after the decision or its failure, unless the call is abandoned.
		 */
		void whenDecided(Runnable task) {
			CompletableFuture<?> unused = this.pending.whenComplete((reservation, failure) -> {
				if (!this.left.get()) {
					task.run();
				}
			});
		}

		/**
		 * Starts a call that is decided, as {@link #tryStart} does. Throws a cancellation
		 * if the call is abandoned.
		 */
		Admission start() {
			Admission admission = tryStart();
			if (admission == null) {
				throw new CancellationException("The call was cancelled before it started");
			}
			return admission;
		}

		/**
		 * Starts a call that is decided. Returns {@code null} if the call is abandoned.
		 * Throws the denial of the call, or the failure of its decision.
		 */
		@Nullable Admission tryStart() {
			return tryLeave() ? this.gate.admit(reservation(), this.charges, this.request, this.name) : null;
		}

		/**
		 * Starts a call that is decided, even if it is denied, unless it is abandoned.
		 */
		void startAnyway() {
			if (tryLeave()) {
				this.gate.open(reservation(), this.charges, this.request);
			}
		}

		private boolean tryLeave() {
			return this.left.compareAndSet(false, true);
		}

		private Reservation reservation() {
			try {
				return this.pending.join();
			}
			catch (CompletionException ex) {
				throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
			}
		}

		/** Refunds a call that has not started, also if it is decided only later. */
		void abandon() {
			if (tryLeave() && !this.pending.cancel(true) && !this.pending.isCompletedExceptionally()) {
				this.gate.refund(this.pending.join());
			}
		}

	}

}
