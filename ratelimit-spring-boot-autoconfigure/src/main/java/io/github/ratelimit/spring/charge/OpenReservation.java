package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.charge.CallCharges.Term;
import io.github.ratelimit.spring.expression.Outcome;
import io.github.ratelimit.spring.expression.ResponseView;
import org.jspecify.annotations.Nullable;

/**
 * A reservation that is adjusted when its call and its request have ended, each charge
 * once. Thread-safe.
 */
public final class OpenReservation {

	/** A reservation that nothing adjusts. */
	public static final OpenReservation NONE = new OpenReservation(List.of(), CallCharges.NONE, (part, actual) -> {
	});

	private final List<Reservation> parts;

	private final CallCharges charges;

	private final ObjLongConsumer<Reservation> adjustment;

	private volatile Outcome outcome = Outcome.NONE;

	/**
	 * Creates an open reservation.
	 * @param parts the reservations of the charges, in their order
	 * @param charges the charges with their terms
	 * @param adjustment adjusts a part to the permits that its call costs after all
	 */
	OpenReservation(List<Reservation> parts, CallCharges charges, ObjLongConsumer<Reservation> adjustment) {
		this.parts = parts;
		this.charges = charges;
		this.adjustment = adjustment;
	}

	/**
	 * Returns whether nothing adjusts the reservation.
	 * @return whether it can be forgotten
	 */
	public boolean isEmpty() {
		return this.charges.terms().isEmpty();
	}

	/** Returns whether there is something to adjust after the request. */
	boolean outlivesCall() {
		return this.charges.terms().stream().anyMatch(this::belongsToRequest);
	}

	/**
	 * Adjusts what depends on the end of a method.
	 * @param result the result; of a stream, its last item
	 * @param failure the exception that the method ended with, or {@code null}
	 */
	public void callEnded(@Nullable Object result, @Nullable Throwable failure) {
		this.outcome = new Outcome(result, failure, null);
		adjust(this.outcome, (term) -> !belongsToRequest(term));
	}

	/** Adjusts what depends on the response. */
	void requestEnded(ResponseView response, @Nullable Throwable failure) {
		adjust(this.outcome.with(response, failure), this::belongsToRequest);
	}

	private void adjust(Reservation part, Term term, Outcome outcome) {
		Charge charge = part.charges().get(0);
		long actual = term.terms().actual(charge, term.call(), outcome);
		if (actual != charge.cost()) {
			this.adjustment.accept(part, actual);
		}
	}

	private boolean belongsToRequest(Term term) {
		return term.index() < this.charges.ofRequest() || term.terms().needsResponse();
	}

	private void adjust(Outcome outcome, Predicate<Term> ended) {
		for (Term term : this.charges.terms()) {
			if (ended.test(term)) {
				adjust(this.parts.get(term.index()), term, outcome);
			}
		}
	}

}
