package io.github.ratelimit.test;

import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A warning that an application context has limited methods or rules, but no limiter, as
 * in a slice.
 */
final class UnlimitedContextWarning implements ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(UnlimitedContextWarning.class);

	private static final boolean HAS_MOCKS = ClassUtils.isPresent("org.mockito.Mockito",
			UnlimitedContextWarning.class.getClassLoader());

	private final ConfigurableApplicationContext context;

	private final Class<?> test;

	UnlimitedContextWarning(ConfigurableApplicationContext context, Class<?> test) {
		this.context = context;
		this.test = test;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (!event.getApplicationContext().equals(this.context) || isLimited()) {
			return;
		}
		String unlimited = Stream.concat(limitedTypes(), rules()).findFirst().orElse(null);
		if (unlimited != null) {
			logger.warn("Rate limits do not apply in " + this.test.getName() + ", not those of " + unlimited
					+ ": add @AutoConfigureRateLimits, or @WithoutRateLimits to leave them off");
		}
	}

	/** Returns whether there are limits, or they are off on purpose. */
	private boolean isLimited() {
		return this.context.getBeanProvider(RateLimiter.class, false).stream().findAny().isPresent()
				|| !this.context.getEnvironment().getProperty("ratelimit.enabled", Boolean.class, true);
	}

	private Stream<String> limitedTypes() {
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		return Stream.of(beans.getBeanDefinitionNames())
			.filter((name) -> !isMock(beans.getSingleton(name)))
			.map((name) -> beans.getType(name, false))
			.filter(Objects::nonNull)
			.map(ClassUtils::getUserClass)
			.filter(UnlimitedContextWarning::isLimited)
			.map(Class::getSimpleName);
	}

	/** Returns the property of rules, if this context serves requests. */
	private Stream<String> rules() {
		boolean hasRules = this.context.containsBean("requestMappingHandlerMapping")
				&& Binder.get(this.context.getEnvironment())
					.bind("ratelimit.rules", Bindable.listOf(Map.class))
					.isBound();
		return hasRules ? Stream.of("'ratelimit.rules'") : Stream.empty();
	}

	private static boolean isMock(@Nullable Object bean) {
		return HAS_MOCKS && bean != null && Mockito.mockingDetails(bean).isMock();
	}

	private static boolean isLimited(Class<?> type) {
		return !type.getName().startsWith("org.springframework.")
				&& Stream.concat(Stream.of(type), Stream.of(ReflectionUtils.getAllDeclaredMethods(type)))
					.anyMatch(UnlimitedContextWarning::isAnnotated);
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(RateLimited.class);
	}

}
