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
record CallOutcome(Outcome outcome, String policy) {

	static CallOutcome of(List<Charge> charges, Decision decision) {
		return worst(charges, (charge) -> Outcome.of(charge, decision));
	}

	/**
	 * Returns the outcome if the store failed.
	 * @param instead the local decision, {@code null} if the call fails
	 */
	static CallOutcome withoutStore(List<Charge> charges, @Nullable Decision instead) {
		return worst(charges, (charge) -> Outcome.withoutStore(charge, instead));
	}

	private static CallOutcome worst(List<Charge> charges, Function<Charge, Outcome> outcomes) {
		Charge first = charges.get(0);
		Outcome worst = outcomes.apply(first);
		String policy = first.policy();
		for (Charge charge : charges.subList(1, charges.size())) {
			Outcome outcome = outcomes.apply(charge);
			if (outcome.compareTo(worst) > 0) {
				worst = outcome;
				policy = charge.policy();
			}
		}
		return new CallOutcome(worst, policy);
	}

}
