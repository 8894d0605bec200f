package io.github.ratelimit.autoconfigure.web;

import java.util.Optional;

import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;
import io.github.ratelimit.spring.web.Rejections;

import org.springframework.context.ApplicationContext;
import org.springframework.web.method.ControllerAdviceBean;

/**
 * The exception handler of rejections, if it is the first of an application's advice that
 * handles denials, and nothing customizes its responses.
 */
final class StandardHandler {

	private StandardHandler() {
	}

	static Optional<RateLimitExceptionHandler<?>> in(ApplicationContext context) {
		return ControllerAdviceBean.findAnnotatedBeans(context)
			.stream()
			.filter((advice) -> advice.getBeanType() != null && Rejections.areDenialsHandledBy(advice.getBeanType()))
			.findFirst()
			.map(ControllerAdviceBean::resolveBean)
			.filter(RateLimitExceptionHandler.class::isInstance)
			.<RateLimitExceptionHandler<?>>map(RateLimitExceptionHandler.class::cast)
			.filter((handler) -> context.getBeanProvider(RateLimitResponseCustomizer.class)
				.stream()
				.findAny()
				.isEmpty());
	}

}
