package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedObject;

/**
 * A proxy that limits the methods of its bean.
 */
public final class LimitingProxy {

	private final Advised proxy;

	private LimitingProxy(Advised proxy) {
		this.proxy = proxy;
	}

	/**
	 * Returns a bean as a limiting proxy.
	 * @param bean a bean
	 * @return the proxy, or nothing if the bean is none
	 */
	public static Optional<LimitingProxy> of(Object bean) {
		return (bean instanceof Advised proxy && Stream.of(proxy.getAdvisors()).anyMatch(LimitingProxy::limits))
				? Optional.of(new LimitingProxy(proxy)) : Optional.empty();
	}

	/**
	 * Returns whether a bean with limited methods can be replaced by one that serves a
	 * request.
	 * @param bean a bean
	 * @return whether it is a limiting proxy, or stands for those of a scope
	 */
	public static boolean canServe(Object bean) {
		return bean instanceof ScopedObject || of(bean).isPresent();
	}

	/**
	 * Returns a proxy of the same target and advice that limits the calls of one request,
	 * for methods that are called on threads that do not know what they serve. A bean in
	 * a scope is resolved for this request.
	 * @param bean a bean
	 * @param caller the caller of the request
	 * @param request the charges of the request
	 * @return the proxy, or nothing if the bean is no limiting proxy
	 */
	public static Optional<Object> serving(Object bean, Caller caller, RequestCharges request) {
		return of((bean instanceof ScopedObject scoped) ? scoped.getTargetObject() : bean)
			.map((proxy) -> proxy.with((limiting) -> limiting.serving(caller, request)));
	}

	/**
	 * Returns a proxy of the same target and advice that does not limit one method.
	 * @param method the method as its class declares it
	 * @return the proxy
	 */
	public Object withoutLimitOn(Method method) {
		return with((limiting) -> limiting.withoutLimitOn(method));
	}

	private Object with(Function<RateLimitAdvisor, Advisor> replaced) {
		ProxyFactory other = new ProxyFactory(this.proxy.getProxiedInterfaces());
		other.setTargetSource(this.proxy.getTargetSource());
		other.setProxyTargetClass(this.proxy.isProxyTargetClass());
		other.setExposeProxy(this.proxy.isExposeProxy());
		for (Advisor advisor : this.proxy.getAdvisors()) {
			other.addAdvisor((advisor instanceof RateLimitAdvisor limiting) ? replaced.apply(limiting) : advisor);
		}
		return other.getProxy(this.proxy.getClass().getClassLoader());
	}

	private static boolean limits(Advisor advisor) {
		return advisor instanceof RateLimitAdvisor;
	}

}
