package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * A resolver of the permits of a caller's limit. Register one as a bean and name it in a
 * policy: {@code permits: bean:NAME}. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface PermitsResolver {

	/**
	 * Returns the permits of a caller.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy, such as {@code principal:alice}
	 * @param call the context of the call
	 * @return permits per period; above the policy's {@code max-permits}, those count.
	 * {@code null} for the number of the caller's plan or of the policy. Below 1, the
	 * call fails
	 */
	@Nullable Long resolve(String policy, String key, CallContext call);

}
