package io.github.ratelimit.spring.mcp;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The outermost advice of methods that are tools, which records how they fail. Spring AI
 * makes texts of their exceptions, so that a denial is no longer recognizable.
 */
final class ToolFailureRecorder implements MethodInterceptor {

	private final ToolCalls calls;

	ToolFailureRecorder(ToolCalls calls) {
		this.calls = calls;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		ToolCall call = this.calls.find();
		if (call == null) {
			return invocation.proceed();
		}
		try {
			return recorded(invocation.proceed(), call);
		}
		catch (Throwable ex) {
			call.failed(ex);
			throw ex;
		}
	}

	private static @Nullable Object recorded(@Nullable Object result, ToolCall call) {
		if (result instanceof Mono<?> value) {
			return value.doOnError(call::failed);
		}
		return (result instanceof Flux<?> values) ? values.doOnError(call::failed) : result;
	}

}
