package io.github.ratelimit.autoconfigure.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Http;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * A factory of the exception handler of rejections, which Spring MVC and WebFlux share.
 */
final class ExceptionHandlers {

	private ExceptionHandlers() {
	}

	static RateLimitExceptionHandler create(Http properties, ObjectProvider<RateLimitResponseCustomizer> customizer,
			ListableBeanFactory beans) {
		return new RateLimitExceptionHandler(properties.headers(), jitter(properties.retryAfterJitter()),
				bannedStatus(properties.bannedStatus()),
				customizer.getIfAvailable(() -> RateLimitResponseCustomizer.NONE),
				RateLimitExceptionHandler.orderAmong(adviceTypes(beans)));
	}

	private static HttpStatus bannedStatus(int code) {
		return PropertyCheck.checked("ratelimit.http.banned-status", code, () -> {
			if (code != HttpStatus.FORBIDDEN.value() && code != HttpStatus.TOO_MANY_REQUESTS.value()) {
				throw new IllegalArgumentException("it is 403 or 429");
			}
			return HttpStatus.valueOf(code);
		});
	}

	private static LongSupplier jitter(Duration most) {
		if (most.isNegative()) {
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.http.retry-after-jitter' must not be negative, was '" + most + "'",
					"Correct the property 'ratelimit.http.retry-after-jitter'.", null);
		}
		return () -> ThreadLocalRandom.current().nextLong(most.toSeconds() + 1);
	}

	private static List<Class<?>> adviceTypes(ListableBeanFactory beans) {
		List<Class<?>> types = new ArrayList<>();
		for (String name : BeanFactoryUtils.beanNamesForAnnotationIncludingAncestors(beans, ControllerAdvice.class)) {
			Class<?> type = beans.getType(name);
			if (type != null && type != RateLimitExceptionHandler.class) {
				types.add(ClassUtils.getUserClass(type));
			}
		}
		return types;
	}

}
