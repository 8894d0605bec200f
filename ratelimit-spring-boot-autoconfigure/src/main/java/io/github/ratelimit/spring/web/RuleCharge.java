package io.github.ratelimit.spring.web;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.key.PolicyKey;

/**
 * The charge of a rule by one policy.
 *
 * @param key resolves the key to charge by the policy
 * @param cost the permits that a request costs, or reserves until it has ended
 * @param outcome the terms of the adjustment when a request has ended
 */
public record RuleCharge(PolicyKey key, CostExpression cost, OutcomeTerms outcome) {

	/** Adds the charge of a request to others, unless the policy skips it. */
	void charge(CallContext call, CallCharges.Builder charges) {
		Charge charge = this.key.charge(call, () -> this.cost.of(call));
		if (charge != null) {
			charges.add(charge, this.outcome, call);
		}
	}

}
