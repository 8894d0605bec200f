package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.RateLimited;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Stops the start-up where an annotation of any bean would not be obeyed: because it
 * cannot be understood, or because no proxy can stand before its method.
 */
public final class RateLimitedBeans implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	private final RateLimitedMethods methods;

	/**
	 * A check.
	 * @param beans whose classes to look at
	 * @param methods resolves their annotations
	 */
	public RateLimitedBeans(ConfigurableListableBeanFactory beans, RateLimitedMethods methods) {
		this.beans = beans;
		this.methods = methods;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beans.getBeanDefinitionNames()) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beans, name);
			if (type != null && AnnotationUtils.isCandidateClass(type, RateLimited.class)
					&& check(ClassUtils.getUserClass(type))) {
				requireAdvice(name, type);
			}
		}
	}

	/** Answers whether any method of the class is limited. */
	private boolean check(Class<?> type) {
		List<Method> limited = Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
			.filter((method) -> method.getDeclaringClass() != Object.class && !method.isSynthetic())
			.filter((method) -> RateLimitedAnnotations.isOn(method) || isPartOfLimitedClass(method, type))
			.toList();
		limited.forEach((method) -> check(method, type));
		return !limited.isEmpty();
	}

	private void check(Method method, Class<?> type) {
		requireNot(Modifier.isPrivate(method.getModifiers()), method, "private");
		requireNot(Modifier.isStatic(method.getModifiers()), method, "static");
		if (!Proxy.isProxyClass(type)) {
			requireNot(Modifier.isFinal(method.getModifiers()), method, "final");
		}
		this.methods.get(method, type);
	}

	/** Beans that do not exist yet, such as those of a request, are left to be made. */
	private void requireAdvice(String name, Class<?> type) {
		Object bean = this.beans.getSingleton(name);
		if (bean == null || bean instanceof FactoryBean || LimitingProxy.of(bean).isPresent()) {
			return;
		}
		throw new InvalidRateLimitException(
				"@RateLimited does not take effect on bean '" + name + "' of " + type + ", because it has no proxy",
				"Leave 'spring.aop.auto' on, and see that no BeanPostProcessor needs the bean.", null);
	}

	/** An annotated class means the methods of its own that others can call on a bean. */
	private static boolean isPartOfLimitedClass(Method method, Class<?> type) {
		return method.getDeclaringClass() == type && !Modifier.isPrivate(method.getModifiers())
				&& !Modifier.isStatic(method.getModifiers())
				&& RateLimitedAnnotations.elements(method, type).anyMatch(RateLimitedAnnotations::isOn);
	}

	private static void requireNot(boolean hidden, Method method, String modifier) {
		if (hidden) {
			throw new InvalidRateLimitException(
					"@RateLimited does not take effect on " + method + ", because it is " + modifier,
					"Remove '" + modifier + "', or put the annotation on another method.", null);
		}
	}

}
