package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A validator that stops the start-up if an annotation of any bean is invalid, or if no
 * proxy can intercept its method.
 */
public final class RateLimitedBeanValidator implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	private final RateLimitedMethods methods;

	private final RateLimitAdvisor advisor;

	/**
	 * Creates a validator.
	 * @param beans the beans to validate
	 * @param methods resolves their annotations
	 * @param advisor knows which classes are annotated
	 */
	public RateLimitedBeanValidator(ConfigurableListableBeanFactory beans, RateLimitedMethods methods,
			RateLimitAdvisor advisor) {
		this.beans = beans;
		this.methods = methods;
		this.advisor = advisor;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beans.getBeanDefinitionNames()) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beans, name);
			if (type != null && this.advisor.mayLimit(type) && validate(ClassUtils.getUserClass(type))) {
				requireAdvice(name, type);
			}
		}
	}

	/** Validates a class and returns whether any of its methods is limited. */
	private boolean validate(Class<?> type) {
		List<Method> limited = Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
			.filter((method) -> method.getDeclaringClass() != Object.class && !method.isSynthetic())
			.filter((method) -> RateLimitedAnnotations.isOn(method) || isPartOfLimitedClass(method, type))
			.toList();
		limited.forEach((method) -> validate(method, type));
		return !limited.isEmpty();
	}

	private void validate(Method method, Class<?> type) {
		requireNot(Modifier.isPrivate(method.getModifiers()), method, "private");
		requireNot(Modifier.isStatic(method.getModifiers()), method, "static");
		if (RateLimitedAnnotations.isOn(method)) {
			requireCallable(method);
		}
		if (!Proxy.isProxyClass(type)) {
			requireNot(Modifier.isFinal(method.getModifiers()), method, "final");
		}
		this.methods.find(method, type);
	}

	/** Requires a proxy, unless the bean does not exist yet, as in the request scope. */
	private void requireAdvice(String name, Class<?> type) {
		Object bean = this.beans.getSingleton(name);
		if (bean == null || bean instanceof FactoryBean || LimitingProxy.of(bean).isPresent() || Mocks.isMock(bean)) {
			return;
		}
		throw new InvalidRateLimitConfigurationException(
				"@RateLimited does not take effect on bean '" + name + "' of " + type + ", because it has no proxy",
				"Leave 'spring.aop.auto' and 'spring.aop.proxy-target-class' on, and see that no BeanPostProcessor "
						+ "needs the bean.",
				null);
	}

	/**
	 * Returns whether the annotation of a class applies to a method: a callable, own one.
	 */
	private static boolean isPartOfLimitedClass(Method method, Class<?> type) {
		return method.getDeclaringClass() == type && !Modifier.isPrivate(method.getModifiers())
				&& !Modifier.isStatic(method.getModifiers())
				&& RateLimitedAnnotations.elements(method, type).anyMatch(RateLimitedAnnotations::isOn);
	}

	/** Requires that the application calls a method, rather than Spring alone. */
	private static void requireCallable(Method method) {
		if (SpringCallbacks.isBeanMethod(method)) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited does not take effect on " + method + ", because it creates a bean",
					"Put the annotation on the class of the bean, or on its methods.", null);
		}
		if (SpringCallbacks.isExceptionHandler(method)) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited cannot limit " + method
							+ ", because it handles exceptions: a denial would replace one",
					"Put the annotation on the methods that fail, or limit their paths by a rule.", null);
		}
	}

	private static void requireNot(boolean hidden, Method method, String modifier) {
		if (hidden) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited does not take effect on " + method + ", because it is " + modifier,
					"Remove '" + modifier + "', or put the annotation on another method.", null);
		}
	}

	/**
	 * The mocks of Mockito, if it is on the class path. A test registers them as beans,
	 * without the proxies that beans of an application have.
	 */
	private static final class Mocks {

		private static final @Nullable Method DETAILS = details();

		static boolean isMock(Object bean) {
			if (DETAILS == null) {
				return false;
			}
			Object details = ReflectionUtils.invokeMethod(DETAILS, null, bean);
			Method isMock = ClassUtils.getMethod(DETAILS.getReturnType(), "isMock");
			return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, details));
		}

		private static @Nullable Method details() {
			ClassLoader classes = Mocks.class.getClassLoader();
			return ClassUtils.isPresent("org.mockito.Mockito", classes) ? ClassUtils.getMethodIfAvailable(
					ClassUtils.resolveClassName("org.mockito.Mockito", classes), "mockingDetails", Object.class) : null;
		}

	}

}
