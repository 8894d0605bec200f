package io.github.ratelimit.autoconfigure.check;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.store.BeanOrigins;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The use of the {@link RateLimiter}, or of a limiter of routes or clients, by beans of
 * the application. Their code may charge any policy, by any key.
 */
public final class LimiterUse {

	/** The packages of our own beans, whose policies are known. */
	private static final List<String> WIRING = List.of(
			ClassUtils.getPackageName(ClassUtils.getPackageName(LimiterUse.class)) + '.',
			"io.github.ratelimit.gateway.autoconfigure.", "io.github.ratelimit.test.RateLimitTestConfiguration");

	private static final String SPRING = "org.springframework.";

	/** Names, as the others need libraries that an application may lack. */
	private static final Set<String> LIMITERS = Set.of(RateLimiter.class.getName(),
			"io.github.ratelimit.spring.ai.RateLimitedChatClients", "io.github.ratelimit.spring.ai.RateLimitedModels",
			"io.github.ratelimit.spring.web.servlet.ServletRouteLimiter",
			"io.github.ratelimit.spring.web.reactive.ReactiveRouteLimiter",
			"io.github.ratelimit.spring.client.RateLimitedClients",
			"io.github.ratelimit.spring.client.RateLimitedWebClients");

	private LimiterUse() {
	}

	/**
	 * Returns whether a bean of the application has the limiter, one of its clients or
	 * one for routes, or will have it once it is created.
	 * @param beans the beans of the application
	 * @return whether code may charge any policy, by any key
	 */
	public static boolean isPossible(ConfigurableListableBeanFactory beans) {
		BeanOrigins origins = new BeanOrigins(beans);
		return Stream.of(beans.getBeanDefinitionNames())
			.filter((name) -> WIRING.stream().noneMatch((wiring) -> origins.isWithin(wiring, name)))
			.anyMatch((name) -> hasLimiter(name, beans) || injectsLimiter(beans.getType(name, false)));
	}

	private static boolean hasLimiter(String bean, ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getDependenciesForBean(bean))
			.filter(beans::containsBean)
			.map((dependency) -> beans.getType(dependency, false))
			.anyMatch(LimiterUse::isLimiter);
	}

	/** Returns whether a class declares the limiter, also by an object provider. */
	private static boolean injectsLimiter(@Nullable Class<?> type) {
		if (type == null || type.getName().startsWith(SPRING)) {
			return false;
		}
		try {
			return injected(ClassUtils.getUserClass(type))
				.anyMatch((injected) -> isLimiter(injected.toClass()) || isLimiter(injected.getGeneric(0).toClass()));
		}
		catch (LinkageError ex) {
			return false; // an optional library of the class is missing
		}
	}

	private static Stream<ResolvableType> injected(Class<?> type) {
		Stream<ResolvableType> parameters = Stream.of(type.getDeclaredConstructors())
			.flatMap((constructor) -> IntStream.range(0, constructor.getParameterCount())
				.mapToObj((index) -> ResolvableType.forConstructorParameter(constructor, index)));
		return Stream.concat(Stream.of(type.getDeclaredFields()).map(ResolvableType::forField), parameters);
	}

	private static boolean isLimiter(@Nullable Class<?> type) {
		return type != null && LIMITERS.contains(type.getName());
	}

}
