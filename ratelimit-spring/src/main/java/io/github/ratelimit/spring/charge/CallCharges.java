package io.github.ratelimit.spring.charge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;

/**
 * The charges of a call, which are decided together, and the terms that adjust them when
 * the call has ended. Immutable.
 *
 * @param charges the charges
 * @param ofRequest the number of charges, from the first, that belong to the whole
 * request rather than to the call of a method
 * @param terms the terms of some of the charges
 */
public record CallCharges(List<Charge> charges, int ofRequest, List<Term> terms) {

	/** No charges. */
	public static final CallCharges NONE = new CallCharges(List.of(), 0, List.of());

	/**
	 * Creates the charges of a method, without terms.
	 * @param charges the charges
	 * @return the charges of a call
	 */
	public static CallCharges of(List<Charge> charges) {
		return new CallCharges(charges, 0, List.of());
	}

	/**
	 * Creates the charges of a call that all have the same terms.
	 * @param charges the charges
	 * @param actual what each costs when the call has ended
	 * @return the charges of a call
	 */
	public static CallCharges of(List<Charge> charges, ActualCost actual) {
		return new CallCharges(charges, 0,
				IntStream.range(0, charges.size()).mapToObj((index) -> new Term(index, actual)).toList());
	}

	/**
	 * Returns whether there is nothing to decide.
	 * @return whether there are no charges
	 */
	public boolean isEmpty() {
		return this.charges.isEmpty();
	}

	/** Returns these charges of a request, followed by those of a method. */
	CallCharges then(CallCharges more) {
		List<Term> terms = new ArrayList<>(this.terms);
		more.terms.forEach((term) -> terms.add(term.at(this.charges.size() + term.index())));
		return new CallCharges(Stream.concat(this.charges.stream(), more.charges.stream()).toList(),
				this.charges.size() + more.ofRequest, terms);
	}

	/**
	 * Returns these charges as those of a request, as no call of a method ends them.
	 * @return the charges
	 */
	public CallCharges untilRequestEnds() {
		int all = this.charges.size();
		return (this.ofRequest == all) ? this : new CallCharges(this.charges, all, this.terms);
	}

	/** Returns these charges, none of which waits. */
	CallCharges withoutWait() {
		return new CallCharges(this.charges.stream().map((charge) -> charge.waitingUpTo(Duration.ZERO)).toList(),
				this.ofRequest, this.terms);
	}

	/**
	 * The terms of a charge.
	 *
	 * @param index the index of the charge
	 * @param actual what it costs when the call has ended
	 */
	public record Term(int index, ActualCost actual) {

		Term at(int index) {
			return new Term(index, this.actual);
		}

	}

	/** A builder of charges in their order. */
	public static final class Builder {

		private final List<Charge> charges = new ArrayList<>();

		private final List<Term> terms = new ArrayList<>();

		/**
		 * Adds a charge.
		 * @param charge the charge
		 * @param outcome the terms of its adjustment
		 * @param call the call that is charged
		 */
		public void add(Charge charge, OutcomeTerms outcome, CallContext call) {
			if (!outcome.isEmpty()) {
				this.terms.add(new Term(this.charges.size(), outcome.of(call)));
			}
			this.charges.add(charge);
		}

		/**
		 * Returns the charges as those of a method.
		 * @return the charges
		 */
		public CallCharges ofMethod() {
			return new CallCharges(List.copyOf(this.charges), 0, List.copyOf(this.terms));
		}

		/**
		 * Returns the charges as those of a request.
		 * @return the charges
		 */
		public CallCharges ofRequest() {
			return new CallCharges(List.copyOf(this.charges), this.charges.size(), List.copyOf(this.terms));
		}

	}

}
