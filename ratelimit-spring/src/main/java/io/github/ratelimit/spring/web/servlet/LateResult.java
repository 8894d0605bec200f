package io.github.ratelimit.spring.web.servlet;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.spring.charge.Admission;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * The result that Spring MVC receives after a handler has returned: of a
 * {@code Callable}, a {@code DeferredResult}, or whatever it adapts to these, such as a
 * stream of events. The first one counts.
 */
final class LateResult implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	private final Admission call;

	private final AtomicBoolean received = new AtomicBoolean();

	private LateResult(Admission call) {
		this.call = call;
	}

	/** Tells a call the result of a request that it belongs to. */
	static void await(HttpServletRequest request, Admission call) {
		LateResult result = new LateResult(call);
		WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
		async.registerCallableInterceptor(result, result);
		async.registerDeferredResultInterceptor(result, result);
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
		receive(result);
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, DeferredResult<T> task, @Nullable Object result) {
		receive(result);
	}

	@Override
	public <T> Object handleTimeout(NativeWebRequest request, Callable<T> task) {
		receive(new AsyncRequestTimeoutException());
		return RESULT_NONE;
	}

	@Override
	public <T> Object handleError(NativeWebRequest request, Callable<T> task, Throwable failure) {
		receive(failure);
		return RESULT_NONE;
	}

	private void receive(@Nullable Object result) {
		if (this.received.compareAndSet(false, true)) {
			Throwable failure = (result instanceof Throwable thrown) ? thrown : null;
			this.call.callEnded((failure != null) ? null : result, failure);
		}
	}

}
