package io.github.ratelimit.spring.key;

import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.Policy;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * Finds whom a policy limits.
 *
 * @param policy the policy
 * @param resolver answers a key, or nothing
 */
public record PolicyKey(Policy policy, KeyResolver resolver) {

	private static final String MISSING = "missing";

	/**
	 * The key of a call.
	 * @param call the call
	 * @return a key, or {@code null} where the policy does not limit the call
	 * @throws MissingKeyException where the policy denies a call without a key
	 */
	public @Nullable String of(CallContext call) {
		String key = this.resolver.resolve(call);
		if (key != null) {
			return key;
		}
		return switch (this.policy.terms().onMissingKey()) {
			case SHARED -> MISSING;
			case SKIP -> null;
			case DENY -> throw new MissingKeyException(this.policy.name());
		};
	}

}
