package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The methods of beans that Spring calls to create a bean, to handle an exception or to
 * prepare a request. They are no calls of the application. The web's annotations are
 * found by name, as they may be missing.
 */
final class SpringCallbacks {

	private static final String WEB = "org.springframework.web.bind.annotation.";

	private SpringCallbacks() {
	}

	/** Returns whether the annotation of a class leaves a method out. */
	static boolean isCallback(Method method) {
		return isBeanMethod(method) || isExceptionHandler(method) || has(method, "InitBinder")
				|| (has(method, "ModelAttribute") && !has(method, "RequestMapping"));
	}

	/** Returns whether a method creates a bean. */
	static boolean isBeanMethod(Method method) {
		return MergedAnnotations.from(method).isPresent(Bean.class);
	}

	/** Returns whether a method handles exceptions. */
	static boolean isExceptionHandler(Method method) {
		return has(method, "ExceptionHandler");
	}

	private static boolean has(Method method, String annotation) {
		return MergedAnnotations.from(method).isPresent(WEB + annotation);
	}

}
