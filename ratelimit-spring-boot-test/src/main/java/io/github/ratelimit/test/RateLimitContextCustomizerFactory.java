package io.github.ratelimit.test;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestContextAnnotationUtils.AnnotationDescriptor;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * A factory of customizers for the application contexts of tests with and without
 * {@link AutoConfigureRateLimits}. Unlike imports of the annotation itself, they add to
 * those of an enclosing class.
 */
final class RateLimitContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		boolean isLimited = TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureRateLimits.class)
				&& !isParent(testClass, attributes);
		return isLimited ? new Limited() : new Unlimited();
	}

	/**
	 * Returns whether a context is the parent of another in a {@link ContextHierarchy}.
	 * The last context has the limits, as it has the beans that the test calls.
	 */
	private static boolean isParent(Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
		AnnotationDescriptor<ContextHierarchy> hierarchy = TestContextAnnotationUtils
			.findAnnotationDescriptor(testClass, ContextHierarchy.class);
		if (hierarchy == null || attributes.isEmpty()) {
			return false;
		}
		ContextConfiguration[] levels = hierarchy.getAnnotation().value();
		return !isOf(attributes.get(0), levels[levels.length - 1]);
	}

	private static boolean isOf(ContextConfigurationAttributes attributes, ContextConfiguration level) {
		return Objects.equals(attributes.getName(), level.name().isEmpty() ? null : level.name())
				&& (level.classes().length == 0 || Arrays.equals(attributes.getClasses(), level.classes()));
	}

	/** A customizer that adds limits, the same for all test classes that have them. */
	private record Limited() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "ratelimit.enabled=true",
					"ratelimit.store=memory");
			new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context.getBeanFactory(),
					context.getEnvironment())
				.register(RateLimitTestConfiguration.class);
		}

	}

	/** A customizer that warns of missing limits, the same for all other test classes. */
	private record Unlimited() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
			context.addApplicationListener(new UnlimitedContextWarning(context, test.getTestClass()));
		}

	}

}
