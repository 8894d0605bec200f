package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * A resolver of keys to limit by. Register one as a bean and name it in a policy:
 * {@code key: bean:NAME}. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * Returns the key of a call. Calls with equal keys share a count; the key is hashed
	 * before it leaves the process.
	 * @param context the context of the call
	 * @return the key, or {@code null} or blank if there is none
	 */
	@Nullable String resolve(CallContext context);

}
