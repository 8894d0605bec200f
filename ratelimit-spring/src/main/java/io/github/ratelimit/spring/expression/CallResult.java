package io.github.ratelimit.spring.expression;

import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param result the result of the method; the last item of a {@code Flux}; {@code null}
 * if there is none
 * @param error the exception that the call ended with, a {@link CancellationException} if
 * it was cancelled; {@code null} if it succeeded
 * @param response the response to the request; {@code null} before it is complete, or if
 * the protocol has none
 */
public record CallResult(@Nullable Object result, @Nullable Throwable error, @Nullable ResponseView response) {

	/** The outcome of a call that has not ended. */
	public static final CallResult NONE = new CallResult(null, null, null);

	/**
	 * Returns this outcome with the response to the request.
	 * @param response the complete response; {@code null} if the protocol has none
	 * @param failure the exception that the request ended with, if the call has none
	 * @return the outcome of the call and its request
	 */
	public CallResult with(@Nullable ResponseView response, @Nullable Throwable failure) {
		return new CallResult(this.result, (this.error != null) ? this.error : failure, response);
	}

}
