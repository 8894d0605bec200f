package io.github.ratelimit.spring.method;

import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.Policy;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation asks for at each call.
 *
 * @param policy the policy to charge
 * @param key finds whom to charge
 * @param cost how many permits to charge
 */
record RateLimitOperation(Policy policy, KeyResolver key, Cost cost) {

	private static final String MISSING = "missing";

	/** Null where the policy does not limit the call. */
	@Nullable Charge charge(CallContext call) {
		String key = this.key.resolve(call);
		if (key != null) {
			return charge(key, call);
		}
		return switch (this.policy.terms().onMissingKey()) {
			case SHARED -> charge(MISSING, call);
			case SKIP -> null;
			case DENY -> throw new MissingKeyException(this.policy.name());
		};
	}

	private Charge charge(String key, CallContext call) {
		return new Charge(this.policy.name(), key, this.cost.of(call.arguments()));
	}

}
