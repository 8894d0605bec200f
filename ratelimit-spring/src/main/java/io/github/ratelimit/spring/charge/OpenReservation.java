package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.charge.CallCharges.Term;
import io.github.ratelimit.spring.expression.CallResult;
import io.github.ratelimit.spring.expression.ResponseView;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A reservation whose call has not ended. When the call, or the whole request, has ended,
 * each charge is adjusted once, and the permits that it held are released. Thread-safe.
 */
public final class OpenReservation {

	private static final Log logger = LogFactory.getLog(OpenReservation.class);

	/** A reservation of which nothing is left to do. */
	public static final OpenReservation NONE = new OpenReservation(List.of(), CallCharges.NONE, false, null);

	private final List<Reservation> parts;

	private final CallCharges charges;

	/** Whether the call is part of a request, whose end is reported. */
	private final boolean inRequest;

	private final @Nullable RateLimiter limiter;

	private CallResult outcome = CallResult.NONE;

	/** Whether the call was cancelled before the request has ended. */
	private boolean cancelled;

	private boolean over;

	private OpenReservation(List<Reservation> parts, CallCharges charges, boolean inRequest,
			@Nullable RateLimiter limiter) {
		this.parts = parts;
		this.charges = charges;
		this.inRequest = inRequest;
		this.limiter = limiter;
	}

	/**
	 * Opens the reservation of a call outside a request, all of which ends with the call.
	 * Its adjustments are sent without waiting; a charge that the store fails to adjust
	 * remains as it was reserved.
	 * @param reservation an admitted reservation
	 * @param charges its charges
	 * @param limiter adjusts
	 * @return the open reservation
	 */
	public static OpenReservation ofCall(Reservation reservation, CallCharges charges, RateLimiter limiter) {
		return of(reservation, charges, false, limiter);
	}

	/** Opens the reservation of a call that is part of a request. */
	static OpenReservation inRequest(Reservation reservation, CallCharges charges, RateLimiter limiter) {
		return of(reservation, charges, true, limiter);
	}

	private static OpenReservation of(Reservation reservation, CallCharges charges, boolean inRequest,
			RateLimiter limiter) {
		return (charges.terms().isEmpty() && !reservation.holdsPermits()) ? NONE
				: new OpenReservation(reservation.perCharge(), charges, inRequest, limiter);
	}

	/**
	 * Refunds a whole reservation without waiting.
	 * @param reservation the reservation
	 * @param limiter refunds
	 */
	public static void refund(Reservation reservation, RateLimiter limiter) {
		logFailure(limiter.refundAsync(reservation));
	}

	/**
	 * Returns whether nothing is left to do.
	 * @return whether the reservation can be forgotten
	 */
	public boolean isEmpty() {
		return this.limiter == null;
	}

	/** Returns whether there is something to do after the request. */
	boolean outlivesCall() {
		return !isEmpty()
				&& (this.charges.ofRequest() > 0 || this.charges.terms().stream().anyMatch(this::belongsToRequest));
	}

	/**
	 * Adjusts and releases what depends on the end of a method. What depends on the end
	 * of the request uses the latest result, as that of a {@code Callable} comes after
	 * the return of its method.
	 * @param result the result; of a stream, its last item
	 * @param failure the exception that the method ended with, or {@code null}
	 */
	public synchronized void callEnded(@Nullable Object result, @Nullable Throwable failure) {
		this.outcome = new CallResult(result, failure, null);
		adjust(this.outcome, (term) -> !belongsToRequest(term));
		release(this.charges.ofRequest(), this.parts.size());
	}

	/**
	 * Adjusts and releases now what would otherwise wait for the end of the request,
	 * unless it needs the response. A server may never end the request of a client that
	 * has gone.
	 * @param last the last item of a stream
	 */
	public synchronized void callCancelled(@Nullable Object last) {
		this.cancelled = !this.over;
		callEnded(last, new CancellationException());
		releaseOfRequest();
	}

	/** Releases the permits that wait for the response. Later releases do nothing. */
	void releaseOfRequest() {
		release(0, this.charges.ofRequest());
	}

	/** Adjusts and releases what depends on the response. */
	synchronized void requestEnded(@Nullable ResponseView response, @Nullable Throwable failure) {
		this.over = true;
		adjust(this.outcome.with(response, failure), this::belongsToRequest);
		releaseOfRequest();
	}

	private boolean belongsToRequest(Term term) {
		return this.inRequest
				&& (term.terms().needsResponse() || (term.index() < this.charges.ofRequest() && !this.cancelled));
	}

	private void adjust(CallResult outcome, Predicate<Term> ended) {
		this.charges.terms().stream().filter(ended).forEach((term) -> {
			Reservation part = this.parts.get(term.index());
			Charge charge = part.charges().get(0);
			long actual = term.terms().actual(charge, term.call(), outcome);
			if (this.limiter != null && actual != charge.cost()) {
				logFailure(this.limiter.adjustAsync(part, actual));
			}
		});
	}

	private void release(int from, int to) {
		for (Reservation part : this.parts.subList(from, to)) {
			if (this.limiter != null && part.holdsPermits()) {
				logFailure(this.limiter.releaseAsync(part));
			}
		}
	}

	/** Logs that a charge remains as it was reserved, or a permit as it was held. */
	private static void logFailure(CompletionStage<Void> adjustment) {
		adjustment.exceptionally((ex) -> {
			logger.debug("Permits could not be adjusted", ex);
			return null;
		});
	}

}
