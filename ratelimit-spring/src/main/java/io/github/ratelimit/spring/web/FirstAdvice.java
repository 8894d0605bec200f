package io.github.ratelimit.spring.web;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * A post-processor for advice of the first order. The limiter's handler has that order
 * too, and of equals Spring calls the one that is registered first. If such advice
 * handles all exceptions, this one registers it again, behind the limiter's handler.
 */
public final class FirstAdvice implements BeanFactoryPostProcessor {

	/**
	 * Returns the order of advice by its annotation. The order of an object is not known.
	 * @param name the name of the bean
	 * @param type the class of the bean
	 * @param beans the beans of the application
	 * @return the order, or the last
	 */
	public static int order(String name, Class<?> type, ListableBeanFactory beans) {
		Order order = beans.findAnnotationOnBean(name, Order.class, false);
		return (order != null && !Ordered.class.isAssignableFrom(type)) ? order.value() : Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		Map<String, Class<?>> advice = advice(beans);
		if (advice.values().stream().anyMatch(RateLimitExceptionHandler::isMeantForRejections)) {
			return;
		}
		advice.entrySet().removeIf((each) -> !isFirst(each.getKey(), each.getValue(), beans));
		if (advice.values().stream().anyMatch(Rejections::areDenialsHandledBy)
				&& beans instanceof BeanDefinitionRegistry registry) {
			advice.keySet().forEach((name) -> registerAgain(name, registry));
		}
	}

	/** Returns the application's advice, without creating any bean to find its type. */
	private static Map<String, Class<?>> advice(ConfigurableListableBeanFactory beans) {
		Map<String, Class<?>> advice = new LinkedHashMap<>();
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = beans.getType(name, false);
			if (type != null && !RateLimitExceptionHandler.class.isAssignableFrom(type)
					&& beans.findAnnotationOnBean(name, ControllerAdvice.class, false) != null) {
				advice.put(name, ClassUtils.getUserClass(type));
			}
		}
		return advice;
	}

	private static boolean isFirst(String name, Class<?> type, ConfigurableListableBeanFactory beans) {
		return order(name, type, beans) == Ordered.HIGHEST_PRECEDENCE && !beans.containsSingleton(name);
	}

	private static void registerAgain(String name, BeanDefinitionRegistry registry) {
		BeanDefinition advice = registry.getBeanDefinition(name);
		registry.removeBeanDefinition(name);
		registry.registerBeanDefinition(name, advice);
	}

}
