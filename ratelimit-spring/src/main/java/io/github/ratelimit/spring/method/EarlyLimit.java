package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AdvisedSupport;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;

/**
 * The limit of methods where advice of an earlier order runs behind {@code @Async}, and
 * so behind the limit. That advice sees a denial as the failure of a call, on the thread
 * that was denied. Spring Modulith thus records that a listener failed.
 */
final class EarlyLimit implements MethodInterceptor {

	private final MethodInterceptor limit;

	private final List<Advisor> asynchronous;

	private final AdvisedSupport earlier = new AdvisedSupport();

	EarlyLimit(MethodInterceptor limit, List<Advisor> later, List<Advisor> earlier) {
		this.limit = limit;
		this.asynchronous = later.stream().filter(EarlyLimit::isAsynchronous).toList();
		this.earlier.addAdvisors(earlier);
	}

	/** Returns whether an advisor calls methods on another thread. */
	static boolean isAsynchronous(Advisor advisor) {
		return advisor.getAdvice() instanceof AsyncExecutionInterceptor;
	}

	/** Returns whether an advisor is around calls of a method. */
	static boolean isAround(Method method, Class<?> targetClass, Advisor advisor) {
		return advisor instanceof PointcutAdvisor other && other.getPointcut().getClassFilter().matches(targetClass)
				&& other.getPointcut().getMethodMatcher().matches(method, targetClass);
	}

	/**
	 * Limits a call. An asynchronous call throws at once if it is denied, or if the
	 * executor rejects it, which no other advice sees either. Its own failure would be
	 * thrown on the other thread.
	 */
	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		try {
			return this.limit.invoke(invocation);
		}
		catch (RejectedExecutionException ex) {
			throw ex;
		}
		catch (RuntimeException denial) {
			if (isAsynchronous(invocation)) {
				return new DeniedInvocation((ProxyMethodInvocation) invocation, this.earlier, denial).proceed();
			}
			throw denial;
		}
	}

	private boolean isAsynchronous(MethodInvocation call) {
		return this.asynchronous.stream().anyMatch((advisor) -> isAround(call.getMethod(), targetClass(call), advisor));
	}

	private static Class<?> targetClass(MethodInvocation call) {
		Object target = call.getThis();
		return (target != null) ? AopUtils.getTargetClass(target) : call.getMethod().getDeclaringClass();
	}

	/**
	 * A call that fails behind some advice.
	 */
	private static final class DeniedInvocation extends ReflectiveMethodInvocation {

		private final RuntimeException denial;

		DeniedInvocation(ProxyMethodInvocation call, AdvisedSupport advice, RuntimeException denial) {
			super(call.getProxy(), call.getThis(), call.getMethod(), call.getArguments(), targetClass(call),
					advice.getInterceptorsAndDynamicInterceptionAdvice(call.getMethod(), targetClass(call)));
			this.denial = denial;
		}

		@Override
		protected @Nullable Object invokeJoinpoint() {
			throw this.denial;
		}

	}

}
