package io.github.ratelimit.spring.method;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

/**
 * The charge of one annotation at each call.
 *
 * @param key resolves the key to charge by the policy
 * @param words the words for the key
 * @param when the condition of limited calls; {@code null} for all
 * @param cost the number of permits to charge
 * @param inputs the parts of a call that condition, key and cost depend on
 * @param maxWait the longest time that a call may wait; {@code null} for the policy's
 * @param outcome the terms of the adjustment when a call has ended
 */
record LimitedCharge(PolicyKey key, List<String> words, @Nullable ScopedExpression when, CostExpression cost,
		ChargeInputs inputs, @Nullable Duration maxWait, OutcomeTerms outcome) {

	/** Returns the charge of a call, or null if the policy does not limit it. */
	@Nullable Charge charge(CallContext call) {
		if (this.when != null && Boolean.FALSE.equals(this.when.tryValue(call))) {
			return null;
		}
		Charge charge = this.key.charge(call, () -> this.cost.of(call));
		return (charge != null && this.maxWait != null) ? charge.waitingUpTo(this.maxWait) : charge;
	}

	/** Returns whether a call may have to wait for its turn. */
	boolean mayWait() {
		return !((this.maxWait != null) ? this.maxWait : this.key.policy().options().maxWait()).isZero();
	}

}
