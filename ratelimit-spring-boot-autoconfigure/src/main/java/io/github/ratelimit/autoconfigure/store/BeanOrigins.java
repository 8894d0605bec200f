package io.github.ratelimit.autoconfigure.store;

import java.lang.reflect.Method;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * The places at which beans are defined, also after ahead-of-time processing.
 *
 * @param beans the beans
 */
public record BeanOrigins(ConfigurableListableBeanFactory beans) {

	/**
	 * Returns whether a configuration class of a package defines a bean.
	 * @param prefix the name of the package and a dot
	 * @param bean the name of the bean
	 * @return whether it is defined there
	 */
	public boolean isWithin(String prefix, String bean) {
		if (!this.beans.containsBeanDefinition(bean)) {
			return false;
		}
		BeanDefinition definition = this.beans.getMergedBeanDefinition(bean);
		Method factory = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		String origin = (factory != null) ? factory.getDeclaringClass().getName() : definition.getFactoryBeanName();
		return origin != null && origin.startsWith(prefix);
	}

}
