package io.github.ratelimit.spring.method;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.spring.key.KeyResolvers;

/**
 * What one annotation asks for at each call.
 *
 * @param policy the policy to charge
 * @param key finds whom to charge
 * @param cost how many permits to charge
 * @param needsArguments whether the key or the cost depends on the call's arguments
 */
record RateLimitOperation(String policy, KeyResolver key, Cost cost, boolean needsArguments) {

	Charge charge(CallContext call) {
		String key = this.key.resolve(call);
		return new Charge(this.policy, (key != null) ? key : KeyResolvers.MISSING, this.cost.of(call.arguments()));
	}

}
