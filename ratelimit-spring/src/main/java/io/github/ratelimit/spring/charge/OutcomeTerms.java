package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.spring.charge.OutcomeTerms.Condition;
import io.github.ratelimit.spring.expression.CallResult;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.expression.Variable;
import org.jspecify.annotations.Nullable;

/**
 * The terms by which a charge is adjusted when its call has ended. In doubt a call pays
 * what it reserved.
 *
 * @param charged the outcomes that a call pays for
 * @param refunded the outcomes that refund a call
 * @param actual the permits that a call turned out to cost; {@code null} for what it
 * reserved
 */
public record OutcomeTerms(Condition charged, Condition refunded, @Nullable CostExpression actual) {

	/** The terms of calls that pay what they reserved. */
	public static final OutcomeTerms NONE = new OutcomeTerms(new Condition(null, List.of()),
			new Condition(null, List.of()), null);

	/**
	 * Returns whether the terms adjust any call.
	 * @return whether there is a condition or an actual cost
	 */
	public boolean isEmpty() {
		return this.charged.isEmpty() && this.refunded.isEmpty() && this.actual == null;
	}

	/**
	 * Returns the expressions of the terms.
	 * @return the expressions, none for what is not adjusted
	 */
	public Stream<ScopedExpression> expressions() {
		Stream<ScopedExpression> conditions = Stream.of(this.charged, this.refunded)
			.flatMap((condition) -> Stream.ofNullable(condition.expression()));
		return Stream.concat(conditions, Stream.ofNullable(this.actual).flatMap((cost) -> cost.expression().stream()));
	}

	/** Returns whether the terms need the response to the request. */
	private boolean needsResponse() {
		return this.charged.uses(Variable.RESPONSE) || this.refunded.uses(Variable.RESPONSE)
				|| (this.actual != null && this.actual.uses(Variable.RESPONSE));
	}

	/**
	 * Returns whether the terms need the size of the response.
	 * @return whether the response has to be measured
	 */
	public boolean measuresResponse() {
		return this.charged.measuresResponse() || this.refunded.measuresResponse()
				|| (this.actual != null && this.actual.measuresResponse());
	}

	/** Returns what a call costs by these terms. */
	ActualCost of(CallContext call) {
		return new OfCall(this, call);
	}

	private long actual(Charge charge, CallContext call, CallResult outcome) {
		boolean isCharged = this.charged.isEmpty() || !this.charged.excludes(call, outcome);
		if (!isCharged || this.refunded.includes(call, outcome)) {
			return 0;
		}
		try {
			return (this.actual != null) ? this.actual.of(call, outcome) : charge.cost();
		}
		catch (InvalidCostException ex) {
			return charge.cost();
		}
	}

	/** The terms of one call. */
	private record OfCall(OutcomeTerms terms, CallContext call) implements ActualCost {

		@Override
		public long of(Reservation charged, CallResult outcome) {
			return this.terms.actual(charged.charges().get(0), this.call, outcome);
		}

		@Override
		public boolean needsResponse() {
			return this.terms.needsResponse();
		}

	}

	/**
	 * Outcomes of calls.
	 *
	 * @param expression a condition on the outcome; {@code null} for none
	 * @param errors the types of exceptions
	 */
	public record Condition(@Nullable ScopedExpression expression, List<Class<?>> errors) {

		/**
		 * Parses a condition.
		 * @param text the expression, or empty
		 * @param errors the types of exceptions
		 * @param scope the names that the expression may use
		 * @return the condition
		 * @throws IllegalArgumentException if the text is no condition
		 */
		public static Condition parse(String text, List<Class<?>> errors, ExpressionScope scope) {
			return new Condition(text.isEmpty() ? null : scope.parseCondition(text), errors);
		}

		boolean isEmpty() {
			return this.expression == null && this.errors.isEmpty();
		}

		boolean uses(Variable variable) {
			return this.expression != null && this.expression.uses(variable);
		}

		boolean measuresResponse() {
			return this.expression != null && this.expression.measuresResponse();
		}

		/** Returns whether the outcome is one of these for certain. */
		boolean includes(CallContext call, CallResult outcome) {
			return isAmongErrors(outcome) || Boolean.TRUE.equals(holds(call, outcome));
		}

		/** Returns whether the outcome is none of these for certain. */
		boolean excludes(CallContext call, CallResult outcome) {
			return !isAmongErrors(outcome) && (this.expression == null || Boolean.FALSE.equals(holds(call, outcome)));
		}

		private boolean isAmongErrors(CallResult outcome) {
			return this.errors.stream().anyMatch((type) -> type.isInstance(outcome.error()));
		}

		private @Nullable Boolean holds(CallContext call, CallResult outcome) {
			return (this.expression != null) ? this.expression.holds(call, outcome) : null;
		}

	}

}
