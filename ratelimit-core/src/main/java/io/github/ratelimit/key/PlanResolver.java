package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * A resolver of plans. Register one as a bean and name it in a policy:
 * {@code plan: bean:NAME}. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface PlanResolver {

	/**
	 * Returns the plan of a caller.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy, such as {@code principal:alice}
	 * @param call the context of the call
	 * @return the plan's name; {@code null} or an unknown name for the policy's own
	 * limits
	 */
	@Nullable String resolve(String policy, String key, CallContext call);

}
