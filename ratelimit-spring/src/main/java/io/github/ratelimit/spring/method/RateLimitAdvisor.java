package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.charge.RequestCharges;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
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

	private static final String FILTER = "jakarta.servlet.Filter";

	private final transient AnnotatedClasses classes;

	private final transient Pointcut pointcut;

	private final transient LimitingAdvice limiting;

	private final transient Advice advice;

	/**
	 * Creates an advisor.
	 * @param interceptor supplies the interceptor at the first call
	 * @param order the order among other advice
	 * @param subclasses whether a proxy is a subclass even if its bean has interfaces
	 */
	public RateLimitAdvisor(Supplier<RateLimitInterceptor> interceptor, int order, boolean subclasses) {
		this.classes = new AnnotatedClasses();
		this.pointcut = new RateLimitedPointcut(this.classes, subclasses);
		Supplier<RateLimitInterceptor> created = SingletonSupplier.of(interceptor);
		this.limiting = new LimitingAdvice(created, null);
		this.advice = this.limiting;
		setOrder(order);
	}

	private RateLimitAdvisor(RateLimitAdvisor whole, Pointcut pointcut, Advice early) {
		this.classes = whole.classes;
		this.pointcut = pointcut;
		this.limiting = whole.limiting;
		this.advice = early;
		setOrder(whole.getOrder());
	}

	/**
	 * Returns an advisor of the limited methods that any of other advice is around.
	 * @param later advice that belongs behind the limit
	 * @param earlier advice that belongs before it, and is behind the later
	 */
	RateLimitAdvisor ofMethodsWith(List<Advisor> later, List<Advisor> earlier) {
		return new RateLimitAdvisor(this, new PartOfPointcut(this.pointcut, later, true),
				new EarlyLimit(this.limiting, later, earlier));
	}

	/** Returns an advisor of the limited methods that none of other advice is around. */
	RateLimitAdvisor ofMethodsWithout(List<Advisor> later) {
		return new RateLimitAdvisor(this, new PartOfPointcut(this.pointcut, later, false), this.limiting);
	}

	/** Returns an advisor, behind that of {@code @Async}, that sees when calls end. */
	Advisor ofTasks() {
		return new DefaultPointcutAdvisor(this.pointcut, (MethodInterceptor) EarlyLimit::invokeTask);
	}

	/** Returns whether a class, or what it extends or implements, is annotated. */
	boolean mayLimit(Class<?> type) {
		return this.classes.contain(type);
	}

	/** Returns an advisor of the same pointcut that does not limit one method. */
	Advisor withoutLimitOn(Method method) {
		return new DefaultPointcutAdvisor(this.pointcut, new LimitingAdvice(this.limiting.interceptor(), method));
	}

	/** Returns an advisor of the same pointcut that limits the calls of one request. */
	Advisor serving(Caller caller, RequestCharges request) {
		Supplier<RateLimitInterceptor> interceptor = this.limiting.interceptor();
		return new DefaultPointcutAdvisor(this.pointcut,
				new LimitingAdvice(() -> interceptor.get().serving(caller, request), null));
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

	/**
	 * The advice for all limited methods but one, if given. Proxies whose advisors differ
	 * only in that method share a class, so that a native image needs no further one.
	 */
	private record LimitingAdvice(Supplier<RateLimitInterceptor> interceptor,
			@Nullable Method unlimited) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			return isUnlimited(invocation) ? invocation.proceed() : this.interceptor.get().invoke(invocation);
		}

		private boolean isUnlimited(MethodInvocation invocation) {
			Object target = invocation.getThis();
			return this.unlimited != null && target != null
					&& AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target))
						.equals(this.unlimited);
		}

	}

	private static final class RateLimitedPointcut extends StaticMethodMatcherPointcut {

		private final boolean subclasses;

		RateLimitedPointcut(AnnotatedClasses classes, boolean subclasses) {
			this.subclasses = subclasses;
			setClassFilter(classes::contain);
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
			if (limited && isFilter(targetClass)) {
				throw new InvalidRateLimitConfigurationException(
						"@RateLimited on " + method + " cannot take effect, because " + targetClass.getName()
								+ " is a servlet filter",
						"Limit the requests by a rule instead, with their paths in 'ratelimit.rules[].paths'.", null);
			}
			return limited;
		}

		/**
		 * Returns whether beans are filters of a servlet container, which ignores how
		 * Spring MVC handles denials. Many filters cannot have a proxy either.
		 */
		private static boolean isFilter(Class<?> type) {
			return ClassUtils.getAllInterfacesForClassAsSet(type)
				.stream()
				.anyMatch((each) -> each.getName().equals(FILTER));
		}

		private boolean isFinal(Class<?> type) {
			return Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)
					&& (this.subclasses || ClassUtils.getAllInterfacesForClass(type).length == 0);
		}

	}

	/**
	 * The limited methods with other advice, or those without it.
	 */
	private static final class PartOfPointcut extends StaticMethodMatcherPointcut {

		private final Pointcut whole;

		private final List<Advisor> others;

		private final boolean with;

		PartOfPointcut(Pointcut whole, List<Advisor> others, boolean with) {
			this.whole = whole;
			this.others = others;
			this.with = with;
			setClassFilter(whole.getClassFilter());
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return this.whole.getMethodMatcher().matches(method, targetClass) && this.others.stream()
				.anyMatch((other) -> EarlyLimit.isAround(method, targetClass, other)) == this.with;
		}

	}

}
