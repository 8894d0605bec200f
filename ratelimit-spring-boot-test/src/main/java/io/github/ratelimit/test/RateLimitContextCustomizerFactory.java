package io.github.ratelimit.test;

import java.util.List;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
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
		return TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureRateLimits.class) ? new Limited()
				: new Unlimited();
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
