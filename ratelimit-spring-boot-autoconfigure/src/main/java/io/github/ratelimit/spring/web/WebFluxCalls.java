package io.github.ratelimit.spring.web;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.stream.Stream;

import org.springframework.web.reactive.result.method.InvocableHandlerMethod;

/**
 * Tells calls by WebFlux from those by other code. Nothing but the stack does: WebFlux
 * binds no request to the thread on which it calls a handler method.
 */
final class WebFluxCalls {

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private WebFluxCalls() {
	}

	/** Whether the proxy in whose interceptors this thread is was called by WebFlux. */
	static boolean isOneNow() {
		return STACK.walk((frames) -> callerOfProxy(frames)
			.filter((frame) -> frame.getDeclaringClass() == InvocableHandlerMethod.class)
			.findFirst()
			.isPresent());
	}

	/** The first frame below those of the proxy and of reflection. */
	private static Stream<StackFrame> callerOfProxy(Stream<StackFrame> frames) {
		return frames.dropWhile((frame) -> !isProxy(frame))
			.dropWhile((frame) -> isProxy(frame) || isReflection(frame))
			.limit(1);
	}

	private static boolean isProxy(StackFrame frame) {
		return frame.getClassName().contains("$$SpringCGLIB") || frame.getClassName().contains("$Proxy");
	}

	private static boolean isReflection(StackFrame frame) {
		return frame.getClassName().startsWith("java.lang.") || frame.getClassName().startsWith("jdk.internal.");
	}

}
