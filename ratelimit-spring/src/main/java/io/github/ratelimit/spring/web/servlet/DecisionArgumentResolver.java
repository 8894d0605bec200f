package io.github.ratelimit.spring.web.servlet;

import java.util.function.Supplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.charge.RateLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * A resolver of the {@link Decision} that a handler method of Spring MVC takes. A method
 * that is decided at its call receives the decision then.
 */
public final class DecisionArgumentResolver implements HandlerMethodArgumentResolver {

	private final Supplier<RateLimits> limits;

	/**
	 * Creates a resolver.
	 * @param limits supplies the limits of requests at the first of them
	 */
	public DecisionArgumentResolver(Supplier<RateLimits> limits) {
		this.limits = limits;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Decision.class;
	}

	@Override
	public Decision resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binders) {
		return this.limits.get().current();
	}

}
