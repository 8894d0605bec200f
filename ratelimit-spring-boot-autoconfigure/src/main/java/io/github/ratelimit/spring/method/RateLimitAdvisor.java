package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The advisor of limited methods. It stands inside the checks that Spring Security makes
 * before a call, and outside all advice without an order of its own, such as that of
 * transactions and caches. The interceptor is created at the first call, as an advisor
 * exists before most beans do.
 */
public final class RateLimitAdvisor extends AbstractPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	/**
	 * The standard order, the lowest being outermost. Spring Security checks before a
	 * call at 100 to 400, and after it at 450 to 600.
	 */
	public static final int ORDER = 410;

	private final transient Pointcut pointcut;

	private final transient MethodInterceptor advice;

	/**
	 * Creates an advisor.
	 * @param interceptor supplies the interceptor at the first call
	 * @param order the order among other advice
	 * @param subclasses whether a proxy is a subclass even if its bean has interfaces
	 */
	public RateLimitAdvisor(Supplier<RateLimitInterceptor> interceptor, int order, boolean subclasses) {
		this.pointcut = new RateLimitedPointcut(subclasses);
		Supplier<RateLimitInterceptor> created = SingletonSupplier.of(interceptor);
		this.advice = (invocation) -> created.get().invoke(invocation);
		setOrder(order);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

	private static final class RateLimitedPointcut extends StaticMethodMatcherPointcut {

		private final boolean subclasses;

		RateLimitedPointcut(boolean subclasses) {
			this.subclasses = subclasses;
			setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, RateLimited.class));
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			boolean limited = RateLimitedAnnotations.elements(method, targetClass)
				.anyMatch(RateLimitedAnnotations::isOn);
			if (limited && isFinal(targetClass)) {
				throw new InvalidRateLimitConfigurationException(
						"@RateLimited cannot take effect on " + targetClass + ", because it is final and has no proxy",
						"Remove 'final' (in Kotlin add the plugin 'spring'; use a class rather than a record).", null);
			}
			return limited;
		}

		private boolean isFinal(Class<?> type) {
			return Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)
					&& (this.subclasses || ClassUtils.getAllInterfacesForClass(type).length == 0);
		}

	}

}
