package io.github.ratelimit;

import java.lang.reflect.Method;

/**
 * The name of a method in messages: {@code ReportJob.run()}.
 */
final class MethodName {

	private MethodName() {
	}

	static String of(Method method) {
		return method.getDeclaringClass().getSimpleName() + '.' + method.getName() + "()";
	}

}
