package io.github.ratelimit.spring.method;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation asks for at each call.
 *
 * @param key finds whom to charge, and by which policy
 * @param cost how many permits to charge
 * @param needsArguments whether the key or the cost depends on the call's arguments
 */
record RateLimitOperation(PolicyKey key, Cost cost, boolean needsArguments) {

	/** Null where the policy does not limit the call. */
	@Nullable Charge charge(CallContext call) {
		return this.key.charge(call, () -> this.cost.of(call.arguments()));
	}

}
