package io.github.ratelimit.spring.method;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

/**
 * The charge of one annotation at each call.
 *
 * @param key resolves the key to charge by the policy
 * @param words the words for the key
 * @param cost the number of permits to charge
 * @param inputs the parts of a call that key and cost depend on
 * @param maxWait the longest time that a call may wait; {@code null} for the policy's
 * @param refundOn the types of failures that refund permits
 */
record LimitedCharge(PolicyKey key, List<String> words, CostExpression cost, ChargeInputs inputs,
		@Nullable Duration maxWait, List<Class<?>> refundOn) {

	/** Returns the charge of a call, or null if the policy does not limit it. */
	@Nullable Charge charge(CallContext call) {
		Charge charge = this.key.charge(call, () -> this.cost.of(call.arguments()));
		return (charge != null && this.maxWait != null) ? charge.waitingUpTo(this.maxWait) : charge;
	}

	/** Returns whether a call may have to wait for its turn. */
	boolean mayWait() {
		return !((this.maxWait != null) ? this.maxWait : this.key.policy().options().maxWait()).isZero();
	}

	/** Returns whether any failure refunds permits. */
	boolean refunds() {
		return !this.refundOn.isEmpty();
	}

	/** Returns whether a failure refunds a charge. */
	boolean refunds(Charge charge, Throwable failure) {
		return charge.policy().equals(this.key.policy().name())
				&& this.refundOn.stream().anyMatch((type) -> type.isInstance(failure));
	}

}
