package io.github.ratelimit.autoconfigure.integration;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;

/**
 * A post-processor that replaces the class of a registry of listener containers by a
 * subclass, which adds back-pressure. A registry that the application itself defines
 * stays as it is.
 *
 * @param name the name of the registry's bean
 * @param standard the class that the messaging library defines
 * @param replacement its subclass
 */
record ListenerRegistryPostProcessor(String name, Class<?> standard,
		Class<?> replacement) implements BeanDefinitionRegistryPostProcessor {

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (registry.containsBeanDefinition(this.name)) {
			BeanDefinition definition = registry.getBeanDefinition(this.name);
			if (definition instanceof AbstractBeanDefinition replaceable
					&& this.standard.getName().equals(definition.getBeanClassName())) {
				replaceable.setBeanClass(this.replacement);
			}
		}
	}

}
