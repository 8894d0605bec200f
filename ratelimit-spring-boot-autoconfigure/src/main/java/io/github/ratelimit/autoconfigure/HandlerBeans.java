package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.spring.method.LimitedHandler;
import io.github.ratelimit.spring.method.RateLimitAdvisor;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.HandlerLimits;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodClassKey;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * What the wiring of Spring MVC and of WebFlux have in common.
 */
final class HandlerBeans {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			HandlerBeans.class.getClassLoader());

	private HandlerBeans() {
	}

	/** The limits of handler methods, each of which is resolved once. */
	static HandlerLimits limits(RateLimitedMethods methods, ListableBeanFactory beans) {
		return limits(methods, beans, LimitedHandler::isDecidedAtCall);
	}

	/** The same where a thread that decides before the call would have to wait. */
	static HandlerLimits limitsOnThreads(RateLimitedMethods methods, ListableBeanFactory beans) {
		return limits(methods, beans, (limited) -> limited.isDecidedAtCall() || limited.waitsWithoutThread());
	}

	private static HandlerLimits limits(RateLimitedMethods methods, ListableBeanFactory beans,
			Predicate<LimitedHandler> isDecidedAtCall) {
		Map<MethodClassKey, Optional<HandlerLimit>> known = new ConcurrentHashMap<>();
		return (handler) -> {
			MethodClassKey key = new MethodClassKey(handler.getMethod(), handler.getBeanType());
			Optional<HandlerLimit> limit = known.get(key);
			return ((limit != null) ? limit
					: known.computeIfAbsent(key,
							(unknown) -> Optional.ofNullable(limit(handler, methods, beans, isDecidedAtCall))))
				.orElse(null);
		};
	}

	private static @Nullable HandlerLimit limit(HandlerMethod handler, RateLimitedMethods methods,
			ListableBeanFactory beans, Predicate<LimitedHandler> isDecidedAtCall) {
		LimitedHandler limited = methods.handler(handler.getMethod(), handler.getBeanType());
		if (limited == null) {
			return null;
		}
		boolean secured = SECURITY
				&& SecurityAdvice.standsBefore(beans.getBean(RateLimitAdvisor.class), handler, beans);
		return new HandlerLimit(limited.method(), (secured || isDecidedAtCall.test(limited)) ? null : limited::charges,
				secured);
	}

	/** What paths are reserved; without a source, none. */
	static Function<@Nullable ApplicationContext, ReservedPaths> reserved(ObjectProvider<ReservedPathsSource> source,
			PathPatternParser parser) {
		ReservedPathsSource known = source.getIfAvailable();
		return (known != null) ? known.parsedBy(parser) : (server) -> ReservedPaths.NONE;
	}

	/** All beans of a type, as a dispatcher finds them. */
	static <T> List<T> inOrder(ListableBeanFactory beans, Class<T> type) {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
			.values()
			.stream()
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.toList();
	}

	/**
	 * Checks of Spring Security around handler methods.
	 */
	private static final class SecurityAdvice {

		static boolean standsBefore(Ordered limit, HandlerMethod handler, ListableBeanFactory beans) {
			return inOrder(beans, AuthorizationAdvisor.class).stream()
				.anyMatch((check) -> check.getOrder() < limit.getOrder() && stands(check.getPointcut(), handler));
		}

		private static boolean stands(Pointcut pointcut, HandlerMethod handler) {
			return pointcut.getClassFilter().matches(handler.getBeanType())
					&& pointcut.getMethodMatcher().matches(handler.getMethod(), handler.getBeanType());
		}

	}

}
