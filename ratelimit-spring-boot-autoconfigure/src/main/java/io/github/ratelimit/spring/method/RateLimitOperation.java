package io.github.ratelimit.spring.method;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation asks for at each call.
 *
 * @param key finds whom to charge, and by which policy
 * @param cost how many permits to charge
 * @param needs what must be known of a call to tell key and cost
 * @param maxWait how long a call may wait; {@code null} for as long as the policy says
 * @param refundOn failures after which permits are given back
 */
record RateLimitOperation(PolicyKey key, Cost cost, Needs needs, @Nullable Duration maxWait, List<Class<?>> refundOn) {

	/** Null where the policy does not limit the call. */
	@Nullable Charge charge(CallContext call) {
		Charge charge = this.key.charge(call, () -> this.cost.of(call.arguments()));
		return (charge != null && this.maxWait != null) ? charge.waitingUpTo(this.maxWait) : charge;
	}

	/** Whether a call may have to wait for its turn. */
	boolean mayWait() {
		return !((this.maxWait != null) ? this.maxWait : this.key.policy().terms().maxWait()).isZero();
	}

	boolean refunds() {
		return !this.refundOn.isEmpty();
	}

	boolean refunds(Charge charge, Throwable failure) {
		return charge.policy().equals(this.key.policy().name())
				&& this.refundOn.stream().anyMatch((type) -> type.isInstance(failure));
	}

}
