package io.github.ratelimit.autoconfigure.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.BeanOrigins;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The policies that an application uses, as far as that is known before its first call. A
 * bean of the application that has the {@link RateLimiter}, or a limiter of routes, may
 * use any.
 */
final class UsedPolicies implements Supplier<Set<String>> {

	/** The packages of our own beans, whose policies are known. */
	private static final List<String> WIRING = List.of(
			ClassUtils.getPackageName(ClassUtils.getPackageName(UsedPolicies.class)) + '.',
			"io.github.ratelimit.gateway.autoconfigure.");

	private static final String SPRING = "org.springframework.";

	/** Names, as the others need libraries that an application may lack. */
	private static final Set<String> LIMITERS = Set.of(RateLimiter.class.getName(),
			"io.github.ratelimit.spring.ai.RateLimitedChatClients",
			"io.github.ratelimit.spring.web.servlet.ServletRouteLimiter",
			"io.github.ratelimit.spring.web.reactive.ReactiveRouteLimiter",
			"io.github.ratelimit.spring.client.RateLimitedClients",
			"io.github.ratelimit.spring.client.RateLimitedWebClients");

	private final RateLimitProperties properties;

	private final RateLimitedMethods methods;

	private final ConfigurableListableBeanFactory beans;

	UsedPolicies(RateLimitProperties properties, RateLimitedMethods methods, ConfigurableListableBeanFactory beans) {
		this.properties = properties;
		this.methods = methods;
		this.beans = beans;
	}

	@Override
	public Set<String> get() {
		Set<String> all = this.properties.policies().keySet();
		Set<String> used = new HashSet<>(PolicyReader.namesInUse(this.properties));
		used.addAll(this.methods.byPolicy().keySet());
		this.beans.getBeanProvider(PolicyUse.class).forEach((use) -> used.addAll(use.byPolicy().keySet()));
		return (used.containsAll(all) || !hasLimiter()) ? used : all;
	}

	/**
	 * Returns whether a bean of the application has the limiter, one of its clients or
	 * one for routes, or will have it once it is created.
	 */
	private boolean hasLimiter() {
		BeanOrigins origins = new BeanOrigins(this.beans);
		return Stream.of(this.beans.getBeanDefinitionNames())
			.filter((name) -> WIRING.stream().noneMatch((wiring) -> origins.isWithin(wiring, name)))
			.anyMatch((name) -> hasLimiter(name) || injectsLimiter(this.beans.getType(name, false)));
	}

	private boolean hasLimiter(String bean) {
		return Stream.of(this.beans.getDependenciesForBean(bean))
			.filter(this.beans::containsBean)
			.map((dependency) -> this.beans.getType(dependency, false))
			.anyMatch(UsedPolicies::isLimiter);
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
