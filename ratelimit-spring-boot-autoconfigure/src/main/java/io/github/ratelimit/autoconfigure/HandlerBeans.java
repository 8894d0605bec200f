package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.spring.method.LimitedHandler;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.HandlerLimits;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * What the wiring of Spring MVC and of WebFlux have in common.
 */
final class HandlerBeans {

	private HandlerBeans() {
	}

	/** What annotations say of handler methods. */
	static HandlerLimits limits(RateLimitedMethods methods) {
		return (handler) -> {
			LimitedHandler limited = methods.handler(handler.getMethod(), handler.getBeanType());
			return (limited == null) ? null
					: new HandlerLimit(limited.method(), limited.isDecidedAtCall() ? null : limited::charges);
		};
	}

	/** All beans of a type, as a dispatcher finds them. */
	static <T> List<T> inOrder(ListableBeanFactory beans, Class<T> type) {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
			.values()
			.stream()
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.toList();
	}

}
