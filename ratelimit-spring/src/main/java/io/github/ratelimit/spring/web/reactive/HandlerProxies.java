package io.github.ratelimit.spring.web.reactive;

import java.util.Map;
import java.util.Optional;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.method.LimitingProxy;
import io.github.ratelimit.spring.method.RateLimitedMethod;

import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.web.method.HandlerMethod;

/**
 * Limited handler methods bound to other proxies of their bean. All other callers still
 * use the bean itself. Thread-safe.
 */
final class HandlerProxies {

	private final Map<HandlerMethod, Optional<HandlerMethod>> bypassing = new ConcurrentReferenceHashMap<>();

	/** Returns whether {@link #serving} makes the limit part of the request. */
	boolean canServe(HandlerMethod handler) {
		return LimitingProxy.canServe(handler.getBean());
	}

	/**
	 * Returns the handler that does not limit its method, for requests that were already
	 * decided, or nothing if the bean is no limiting proxy.
	 */
	Optional<HandlerMethod> bypassing(HandlerMethod handler, RateLimitedMethod method) {
		Optional<HandlerMethod> known = this.bypassing.get(handler);
		return (known != null) ? known
				: this.bypassing.computeIfAbsent(handler, (unknown) -> LimitingProxy.of(handler.getBean())
					.map((proxy) -> new ProxiedHandler(handler, proxy.withoutLimitOn(method.method()))));
	}

	/**
	 * Returns the handler that limits its method as part of a request, for methods that
	 * are called on any thread. A bean in a scope is resolved for this call.
	 */
	HandlerMethod serving(HandlerMethod handler, Caller caller, RequestCharges request) {
		return LimitingProxy.serving(handler.getBean(), caller, request)
			.<HandlerMethod>map((bean) -> new ProxiedHandler(handler, bean))
			.orElse(handler);
	}

	private static final class ProxiedHandler extends HandlerMethod {

		ProxiedHandler(HandlerMethod handler, Object bean) {
			super(handler, bean, false);
		}

	}

}
