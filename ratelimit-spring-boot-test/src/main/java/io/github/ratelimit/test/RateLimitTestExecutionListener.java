package io.github.ratelimit.test;

import java.lang.reflect.Method;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestContextAnnotationUtils.AnnotationDescriptor;
import org.springframework.test.context.TestExecutionListener;

/**
 * A listener that gives each test its turn with the limits of its application context.
 */
final class RateLimitTestExecutionListener implements TestExecutionListener, Ordered {

	private static final String TURNS = TestTurns.class.getName();

	/** Precedes listeners that run code of the application, such as transactions. */
	@Override
	public int getOrder() {
		return 2500;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		AnnotationDescriptor<AutoConfigureRateLimits> limited = TestContextAnnotationUtils
			.findAnnotationDescriptor(test.getTestClass(), AutoConfigureRateLimits.class);
		boolean without = isWithoutLimits(test.getTestMethod());
		if (limited != null) {
			TestTurns turns = test.getApplicationContext().getBean(TestTurns.class);
			turns.await();
			test.setAttribute(TURNS, turns);
			turns.begin(!without
					&& !AnnotatedElementUtils.hasAnnotation(limited.getRootDeclaringClass(), WithoutRateLimits.class));
		}
		else if (without) {
			throw new IllegalStateException("@WithoutRateLimits has no effect on " + test.getTestMethod()
					+ ": add @AutoConfigureRateLimits to its class, or put @WithoutRateLimits there");
		}
	}

	/** Ends the turn, without the context, which may be closed by now. */
	@Override
	public void afterTestMethod(TestContext test) {
		if (test.removeAttribute(TURNS) instanceof TestTurns turns) {
			turns.end();
		}
	}

	private static boolean isWithoutLimits(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, WithoutRateLimits.class);
	}

}
