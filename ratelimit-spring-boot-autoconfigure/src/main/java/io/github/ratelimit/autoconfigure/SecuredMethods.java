package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.function.BiPredicate;

import io.github.ratelimit.spring.method.RateLimitAdvisor;

import org.springframework.aop.Pointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.util.ClassUtils;

/**
 * The methods that Spring Security checks before their limits are decided.
 */
final class SecuredMethods {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			SecuredMethods.class.getClassLoader());

	private SecuredMethods() {
	}

	/** Returns whether a method of a class is one of them. */
	static BiPredicate<Method, Class<?>> among(ListableBeanFactory beans) {
		return (method, beanType) -> SECURITY
				&& Checks.areBefore(beans.getBean(RateLimitAdvisor.class), method, beanType, beans);
	}

	/**
	 * The checks of Spring Security around methods, apart as it may be absent.
	 */
	private static final class Checks {

		static boolean areBefore(Ordered limit, Method method, Class<?> beanType, ListableBeanFactory beans) {
			return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, AuthorizationAdvisor.class, true, false)
				.values()
				.stream()
				.anyMatch((check) -> check.getOrder() < limit.getOrder()
						&& matches(check.getPointcut(), method, beanType));
		}

		private static boolean matches(Pointcut pointcut, Method method, Class<?> beanType) {
			return pointcut.getClassFilter().matches(beanType) && pointcut.getMethodMatcher().matches(method, beanType);
		}

	}

}
