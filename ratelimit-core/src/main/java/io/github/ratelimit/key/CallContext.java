package io.github.ratelimit.key;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The information about a call that a {@link KeyResolver} may use.
 *
 * @param caller the sender of the request that the call serves
 * @param arguments the arguments of the limited method by parameter name
 * @param request the request that the call serves; {@code null} outside any request
 * @param reached names what the call reached, on demand
 */
public record CallContext(Caller caller, Map<String, @Nullable Object> arguments, @Nullable CallRequest request,
		Route reached) {

	/**
	 * Creates the context of a call with the caller's own request.
	 * @param caller the sender of the request that the call serves
	 * @param arguments the arguments of the limited method by parameter name
	 */
	public CallContext(Caller caller, Map<String, @Nullable Object> arguments) {
		this(caller, arguments, Route.NONE);
	}

	/**
	 * Creates the context of a call with the caller's own request.
	 * @param caller the sender of the request that the call serves
	 * @param arguments the arguments of the limited method by parameter name
	 * @param reached names what the call reached, on demand
	 */
	public CallContext(Caller caller, Map<String, @Nullable Object> arguments, Route reached) {
		this(caller, arguments, caller.request(), reached);
	}

	/**
	 * Returns the name of what the call reached, which no caller chooses.
	 * @return a name such as {@code GET /orders/{id}} or {@code ReportService.create}, or
	 * {@code null} if there is none
	 */
	public @Nullable String route() {
		return this.reached.of(this.request);
	}

}
