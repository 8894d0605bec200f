package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
 * The admission of a call that has not ended. When the call, or the whole request, has
 * ended, each charge is adjusted once, and the permits that it held are released. Both
 * are sent without waiting: a charge that the store fails to adjust remains as it was
 * reserved. Thread-safe.
 */
public final class Admission {

	private static final Log logger = LogFactory.getLog(Admission.class);

	/** The admission of a call whose end changes nothing. */
	public static final Admission NONE = new Admission(List.of(), CallCharges.NONE, null, null);

	private final List<Reservation> parts;

	private final List<Term> terms;

	/** Keeps a call until its request has ended; {@code null} outside a request. */
	private final @Nullable Consumer<Admission> request;

	private final @Nullable RateLimiter limiter;

	/** The number of parts, from the first, that end with the request. */
	private int ofRequest;

	private CallResult outcome = CallResult.NONE;

	/** Whether the call was cancelled before the request has ended. */
	private boolean cancelled;

	private boolean over;

	private Admission(List<Reservation> parts, CallCharges charges, @Nullable Consumer<Admission> request,
			@Nullable RateLimiter limiter) {
		this.parts = parts;
		this.terms = charges.terms();
		this.request = request;
		this.ofRequest = (request != null) ? charges.ofRequest() : 0;
		this.limiter = limiter;
	}

	/**
	 * Returns the admission of a call.
	 * @param request keeps a call whose result comes later until its request has ended;
	 * {@code null} outside a request
	 */
	static Admission of(Reservation reservation, CallCharges charges, @Nullable Consumer<Admission> request,
			RateLimiter limiter) {
		return (charges.terms().isEmpty() && !reservation.holdsPermits()) ? NONE
				: new Admission(reservation.perCharge(), charges, request, limiter);
	}

	/**
	 * Returns whether the end of the call changes nothing.
	 * @return whether the admission can be forgotten
	 */
	public boolean isEmpty() {
		return this.limiter == null;
	}

	/** Returns whether charges are adjusted when the call, or its request, has ended. */
	boolean hasTerms() {
		return !this.terms.isEmpty();
	}

	/** Returns whether the end of the request matters. */
	boolean outlivesCall() {
		return this.ofRequest > 0 || (hasTerms() && this.terms.stream().anyMatch(this::belongsToRequest));
	}

	/**
	 * Adjusts and releases what depends on the end of the call. What depends on the end
	 * of the request uses the latest result, as that of a {@code Callable} comes after
	 * the return of its method. If the result is a response that others complete, all
	 * depends on the end of the request.
	 * @param result the result; of a stream, its last item
	 * @param failure the exception that the call ended with, or {@code null}
	 */
	public synchronized void callEnded(@Nullable Object result, @Nullable Throwable failure) {
		this.outcome = new CallResult(result, failure, null);
		if (this.request != null && OngoingResponse.is(result)) {
			this.ofRequest = this.parts.size();
			this.request.accept(this);
		}
		endCall();
	}

	/**
	 * Adjusts and releases now what would otherwise wait for the end of the request,
	 * unless it needs the response. A server may never end the request of a client that
	 * has gone.
	 * @param last the last item of a stream
	 */
	public synchronized void callCancelled(@Nullable Object last) {
		this.cancelled = !this.over;
		this.outcome = new CallResult(last, new CancellationException(), null);
		endCall();
		releaseOfRequest();
	}

	private void endCall() {
		try {
			adjust(this.outcome, (term) -> !belongsToRequest(term));
		}
		finally {
			release(this.ofRequest, this.parts.size());
		}
	}

	/** Releases the permits that wait for the response. Later releases do nothing. */
	synchronized void releaseOfRequest() {
		release(0, this.ofRequest);
	}

	/** Adjusts and releases what depends on the response. */
	synchronized void requestEnded(@Nullable ResponseView response, @Nullable Throwable failure) {
		this.over = true;
		try {
			adjust(this.outcome.with(response, failure), this::belongsToRequest);
		}
		finally {
			releaseOfRequest();
		}
	}

	private boolean belongsToRequest(Term term) {
		return this.request != null
				&& (term.actual().needsResponse() || (term.index() < this.ofRequest && !this.cancelled));
	}

	private void adjust(CallResult outcome, Predicate<Term> ended) {
		for (Term term : this.terms) {
			if (ended.test(term)) {
				adjust(this.parts.get(term.index()), term.actual(), outcome);
			}
		}
	}

	private void adjust(Reservation part, ActualCost cost, CallResult outcome) {
		Charge charge = part.charges().get(0);
		long actual = cost.of(part, outcome);
		if (this.limiter != null && actual != charge.cost()) {
			logFailure(this.limiter.adjustAsync(part, actual));
		}
	}

	private void release(int from, int to) {
		for (Reservation part : this.parts.subList(from, to)) {
			if (this.limiter != null && part.holdsPermits()) {
				logFailure(this.limiter.releaseAsync(part));
			}
		}
	}

	/** Logs that a charge remains as it was reserved, or a permit as it was held. */
	static void logFailure(CompletionStage<Void> adjustment) {
		adjustment.exceptionally((ex) -> {
			logger.debug("Permits could not be adjusted", ex);
			return null;
		});
	}

}
