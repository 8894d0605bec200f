package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
 * The limit of methods where advice of an earlier order runs behind {@code @Async} or
 * {@code @Retryable}, and so behind the limit. That advice sees a denial as the failure
 * of a call, on the thread that was denied. Spring Modulith thus records that a listener
 * failed.
 */
final class EarlyLimit implements MethodInterceptor {

	/** The attribute of a call whose end its own thread reports. */
	private static final String END = EarlyLimit.class.getName() + ".END";

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
	 * Limits a call. Only what fails before its admission is a denial: the call's own
	 * failure has passed the earlier advice.
	 */
	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
		LimitedInvocation limited = new LimitedInvocation(call, this.limit, isTask(call));
		Object result;
		try {
			result = limited.proceed();
		}
		catch (RuntimeException ex) {
			if (limited.admitted) {
				throw ex;
			}
			return denied(call, () -> {
				throw ex;
			});
		}
		if (!limited.admitted && result instanceof CompletableFuture<?> stage && stage.isCompletedExceptionally()) {
			return RateLimitInterceptor.stageOf(() -> denied(call, () -> stage));
		}
		return limited.isTask ? null : result;
	}

	private @Nullable Object denied(ProxyMethodInvocation call, Call denial) throws Throwable {
		return new DeniedInvocation(call, this.earlier, denial).proceed();
	}

	/** Returns whether a call returns before it has ended, and returns nothing. */
	private boolean isTask(ProxyMethodInvocation call) {
		return call.getMethod().getReturnType() == void.class && this.asynchronous.stream()
			.anyMatch((advisor) -> isAround(call.getMethod(), targetClass(call), advisor));
	}

	private static Class<?> targetClass(MethodInvocation call) {
		Object target = call.getThis();
		return (target != null) ? AopUtils.getTargetClass(target) : call.getMethod().getDeclaringClass();
	}

	/**
	 * Proceeds, and reports the end of a call that another thread has started. This is
	 * advice directly behind that of {@code @Async}.
	 */
	static @Nullable Object invokeTask(MethodInvocation invocation) throws Throwable {
		if (!(((ProxyMethodInvocation) invocation).getUserAttribute(END) instanceof CompletableFuture<?> end)) {
			return invocation.proceed();
		}
		try {
			Object result = invocation.proceed();
			end.complete(null);
			return result;
		}
		catch (Throwable ex) {
			end.completeExceptionally(ex);
			throw ex;
		}
	}

	/**
	 * A call that passes the limit, and then all other advice. If it is a task, the limit
	 * sees a stage that completes when it ends.
	 */
	private static final class LimitedInvocation extends ReflectiveMethodInvocation {

		private final ProxyMethodInvocation call;

		private final boolean isTask;

		private volatile boolean admitted;

		LimitedInvocation(ProxyMethodInvocation call, MethodInterceptor limit, boolean isTask) {
			super(call.getProxy(), call.getThis(), call.getMethod(), call.getArguments(), targetClass(call),
					List.of(limit));
			this.call = call;
			this.isTask = isTask;
		}

		@Override
		protected @Nullable Object invokeJoinpoint() throws Throwable {
			this.admitted = true;
			MethodInvocation admitted = this.call.invocableClone(getArguments());
			if (!this.isTask) {
				return admitted.proceed();
			}
			Object end = new CompletableFuture<>();
			this.call.setUserAttribute(END, end);
			admitted.proceed();
			return end;
		}

	}

	/**
	 * A call that fails behind some advice.
	 */
	private static final class DeniedInvocation extends ReflectiveMethodInvocation {

		private final Call denial;

		DeniedInvocation(ProxyMethodInvocation call, AdvisedSupport advice, Call denial) {
			super(call.getProxy(), call.getThis(), call.getMethod(), call.getArguments(), targetClass(call),
					advice.getInterceptorsAndDynamicInterceptionAdvice(call.getMethod(), targetClass(call)));
			this.denial = denial;
		}

		@Override
		protected @Nullable Object invokeJoinpoint() throws Throwable {
			return this.denial.proceed();
		}

	}

}
