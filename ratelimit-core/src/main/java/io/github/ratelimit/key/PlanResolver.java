package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * Finds out which plan a caller has. Register one as a bean and name it in a policy:
 * {@code plan: bean:NAME}. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface PlanResolver {

	/**
	 * The plan of a caller.
	 * @param policy the name of the policy that is asked
	 * @param key the caller's key in that policy, such as {@code principal:alice}
	 * @param call what is known of the call
	 * @return the plan's name; {@code null} or one that the policy does not know for the
	 * policy's own limits
	 */
	@Nullable String resolve(String policy, String key, CallContext call);

}
