package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call: the worst outcome of its charges.
 *
 * @param outcome the outcome
 * @param policy the first policy with that outcome
 */
record CallOutcome(ChargeOutcome outcome, String policy) {

	static CallOutcome of(List<Charge> charges, Decision decision) {
		return worst(charges, (charge) -> ChargeOutcome.of(charge, decision));
	}

	/**
	 * Returns the outcome if the store failed.
	 * @param instead the local decision, {@code null} if the call fails
	 */
	static CallOutcome withoutStore(List<Charge> charges, @Nullable Decision instead) {
		return worst(charges, (charge) -> ChargeOutcome.withoutStore(charge, instead));
	}

	private static CallOutcome worst(List<Charge> charges, Function<Charge, ChargeOutcome> outcomes) {
		Charge first = charges.get(0);
		ChargeOutcome worst = outcomes.apply(first);
		String policy = first.policy();
		for (Charge charge : charges.subList(1, charges.size())) {
			ChargeOutcome outcome = outcomes.apply(charge);
			if (outcome.compareTo(worst) > 0) {
				worst = outcome;
				policy = charge.policy();
			}
		}
		return new CallOutcome(worst, policy);
	}

}
