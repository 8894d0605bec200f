package io.github.ratelimit.key;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The information about a call that a {@link KeyResolver} may use.
 *
 * @param caller the sender of the request that the call serves
 * @param arguments the arguments of the limited method by parameter name
 * @param request the request that the call serves; {@code null} outside any request
 */
public record CallContext(Caller caller, Map<String, @Nullable Object> arguments, @Nullable CallRequest request) {

	/**
	 * Creates the context of a call with the caller's own request.
	 * @param caller the sender of the request that the call serves
	 * @param arguments the arguments of the limited method by parameter name
	 */
	public CallContext(Caller caller, Map<String, @Nullable Object> arguments) {
		this(caller, arguments, caller.request());
	}

}
