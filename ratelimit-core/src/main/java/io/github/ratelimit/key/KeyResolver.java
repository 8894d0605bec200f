package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * Finds out who is limited. Register one as a bean and name it in a policy:
 * {@code key: bean:NAME}. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * The key of a call. Calls with equal keys share a count; the key is hashed before it
	 * leaves the process.
	 * @param context what is known of the call
	 * @return the key, or {@code null} or blank if this resolver cannot tell
	 */
	@Nullable String resolve(CallContext context);

}
