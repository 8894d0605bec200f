package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * A bean that limits its methods itself, and not by another behind it.
 */
public final class LimitingProxy {

	private final Advised proxy;

	private LimitingProxy(Advised proxy) {
		this.proxy = proxy;
	}

	/**
	 * A bean as a proxy that limits its methods.
	 * @param bean a bean
	 * @return nothing if it is none
	 */
	public static Optional<LimitingProxy> of(Object bean) {
		return (bean instanceof Advised proxy && Stream.of(proxy.getAdvisors()).anyMatch(LimitingProxy::limits))
				? Optional.of(new LimitingProxy(proxy)) : Optional.empty();
	}

	/**
	 * A proxy of the same target that does all that this one does, but limit one method.
	 * @param method as its class declares it
	 * @return the proxy
	 */
	public Object allowing(Method method) {
		ProxyFactory other = new ProxyFactory(this.proxy.getProxiedInterfaces());
		other.setTargetSource(this.proxy.getTargetSource());
		other.setProxyTargetClass(this.proxy.isProxyTargetClass());
		other.setExposeProxy(this.proxy.isExposeProxy());
		for (Advisor advisor : this.proxy.getAdvisors()) {
			other.addAdvisor(
					limits(advisor) ? new DefaultPointcutAdvisor(new AllBut(method), advisor.getAdvice()) : advisor);
		}
		return other.getProxy(this.proxy.getClass().getClassLoader());
	}

	private static boolean limits(Advisor advisor) {
		return advisor instanceof RateLimitAdvisor;
	}

	private static final class AllBut extends StaticMethodMatcherPointcut {

		private final Method method;

		AllBut(Method method) {
			this.method = method;
		}

		@Override
		public boolean matches(Method called, Class<?> targetClass) {
			return !AopUtils.getMostSpecificMethod(called, targetClass).equals(this.method);
		}

	}

}
