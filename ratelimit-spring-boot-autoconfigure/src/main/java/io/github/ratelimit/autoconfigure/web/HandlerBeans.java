package io.github.ratelimit.autoconfigure.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

import io.github.ratelimit.spring.method.RateLimitAdvisor;
import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The part that the wiring of Spring MVC and of WebFlux share.
 */
final class HandlerBeans {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			HandlerBeans.class.getClassLoader());

	private HandlerBeans() {
	}

	/**
	 * Returns whether Spring Security checks a method of a class before its limit is
	 * decided.
	 */
	static BiPredicate<Method, Class<?>> secured(ListableBeanFactory beans) {
		return (method, beanType) -> SECURITY
				&& SecurityAdvice.isBefore(beans.getBean(RateLimitAdvisor.class), method, beanType, beans);
	}

	/** Returns the reserved paths of a server, those of all sources. */
	static Function<@Nullable ApplicationContext, ReservedPaths> reserved(ObjectProvider<ReservedPathsSource> sources,
			PathPatternParser parser) {
		List<Function<@Nullable ApplicationContext, ReservedPaths>> parsed = sources.stream()
			.map((source) -> source.parsedBy(parser))
			.toList();
		return (parsed.size() == 1) ? parsed.get(0)
				: (server) -> parsed.stream()
					.map((source) -> source.apply(server))
					.reduce(ReservedPaths.NONE, ReservedPaths::and);
	}

	/** Returns all beans of a type in the order in which a dispatcher finds them. */
	static <T> List<T> inOrder(ListableBeanFactory beans, Class<T> type) {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
			.values()
			.stream()
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.toList();
	}

	/**
	 * The checks of Spring Security around handler methods, apart as it may be absent.
	 */
	private static final class SecurityAdvice {

		static boolean isBefore(Ordered limit, Method method, Class<?> beanType, ListableBeanFactory beans) {
			return inOrder(beans, AuthorizationAdvisor.class).stream()
				.anyMatch((check) -> check.getOrder() < limit.getOrder()
						&& matches(check.getPointcut(), method, beanType));
		}

		private static boolean matches(Pointcut pointcut, Method method, Class<?> beanType) {
			return pointcut.getClassFilter().matches(beanType) && pointcut.getMethodMatcher().matches(method, beanType);
		}

	}

}
