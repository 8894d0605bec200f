package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodClassKey;
import org.springframework.web.method.HandlerMethod;

/**
 * The limited handler methods of an application, each resolved once. Thread-safe.
 */
public final class LimitedHandlers {

	private final RateLimitedMethods methods;

	private final BiPredicate<Method, Class<?>> secured;

	private final Predicate<RateLimitedMethod> decidedAtCall;

	private volatile Known known;

	private LimitedHandlers(RateLimitedMethods methods, BiPredicate<Method, Class<?>> secured,
			Predicate<RateLimitedMethod> decidedAtCall) {
		this.methods = methods;
		this.secured = secured;
		this.decidedAtCall = decidedAtCall;
		this.known = new Known(methods.edition(), new ConcurrentHashMap<>());
	}

	/**
	 * Creates the handlers of a servlet application, in which a decision before the call
	 * occupies a thread while it waits.
	 * @param methods the limited methods
	 * @param secured whether Spring Security checks a method of a class before its limit
	 * @return the handlers
	 */
	public static LimitedHandlers ofServlets(RateLimitedMethods methods, BiPredicate<Method, Class<?>> secured) {
		return new LimitedHandlers(methods, secured,
				(method) -> method.isDecidedAtCall() || method.waitsWithoutThread());
	}

	/**
	 * Creates the handlers of a reactive application.
	 * @param methods the limited methods
	 * @param secured whether Spring Security checks a method of a class before its limit
	 * @return the handlers
	 */
	public static LimitedHandlers ofReactive(RateLimitedMethods methods, BiPredicate<Method, Class<?>> secured) {
		return new LimitedHandlers(methods, secured, RateLimitedMethod::isDecidedAtCall);
	}

	/**
	 * Returns whether a method is charged by the size of the response.
	 * @return whether responses have to be measured
	 */
	public boolean measureResponses() {
		return this.methods.measuresResponses();
	}

	/**
	 * Finds the limits of a handler method.
	 * @param handler the handler method
	 * @return the handler with its limits, or {@code null} if it is not limited
	 */
	public @Nullable LimitedHandler find(HandlerMethod handler) {
		MethodClassKey key = new MethodClassKey(handler.getMethod(), handler.getBeanType());
		Map<MethodClassKey, Optional<LimitedHandler>> known = known();
		Optional<LimitedHandler> limited = known.get(key);
		return ((limited != null) ? limited
				: known.computeIfAbsent(key,
						(unknown) -> Optional.ofNullable(resolve(handler.getMethod(), handler.getBeanType()))))
			.orElse(null);
	}

	/** Returns the handlers of the current edition of the methods. */
	@SuppressWarnings("ReferenceEquality") // the same edition, not an equal one
	private Map<MethodClassKey, Optional<LimitedHandler>> known() {
		Known known = this.known;
		Object edition = this.methods.edition();
		if (known.edition() != edition) {
			known = new Known(edition, new ConcurrentHashMap<>());
			this.known = known;
		}
		return known.byMethod();
	}

	private @Nullable LimitedHandler resolve(Method method, Class<?> beanType) {
		RateLimitedMethod limited = this.methods.find(method, beanType);
		if (limited == null) {
			return null;
		}
		boolean isSecured = this.secured.test(method, beanType);
		return new LimitedHandler(limited, isSecured, isSecured || this.decidedAtCall.test(limited));
	}

	/**
	 * A limited handler method.
	 *
	 * @param method the method with its limits
	 * @param isSecured whether Spring Security may reject a call before its limit is
	 * decided, so that rules must not wait for that decision
	 * @param isDecidedAtCall whether its limits cannot be decided before the call
	 */
	public record LimitedHandler(RateLimitedMethod method, boolean isSecured, boolean isDecidedAtCall) {

	}

	/** The handlers of an edition of the methods. */
	private record Known(Object edition, Map<MethodClassKey, Optional<LimitedHandler>> byMethod) {

	}

}
