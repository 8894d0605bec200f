package io.github.ratelimit.autoconfigure.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.BeanOrigins;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The policies that an application uses, as far as that is known before its first call. A
 * bean of the application that has the {@link RateLimiter} may use any.
 */
final class UsedPolicies implements Supplier<Set<String>> {

	private static final String WIRING = ClassUtils.getPackageName(ClassUtils.getPackageName(UsedPolicies.class)) + '.';

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
		if (hasLimiter()) {
			return this.properties.policies().keySet();
		}
		Set<String> used = new HashSet<>(PolicyReader.namesInUse(this.properties));
		used.addAll(this.methods.byPolicy().keySet());
		return used;
	}

	/**
	 * Returns whether a bean of the application has the limiter, or one of its clients.
	 */
	private boolean hasLimiter() {
		BeanOrigins origins = new BeanOrigins(this.beans);
		return Stream.of(this.beans.getBeanNamesForType(RateLimiter.class, true, false))
			.flatMap(this::dependents)
			.flatMap((dependent) -> origins.isWithin(WIRING, dependent) ? clients(dependent) : Stream.of(dependent))
			.anyMatch((dependent) -> !origins.isWithin(WIRING, dependent));
	}

	/**
	 * Returns the dependents of a bean for outbound calls, which are the application's.
	 */
	private Stream<String> clients(String name) {
		Class<?> type = this.beans.getType(name);
		boolean isClient = type != null
				&& List.of("RateLimitedClients", "RateLimitedWebClients").contains(type.getSimpleName());
		return isClient ? dependents(name) : Stream.empty();
	}

	private Stream<String> dependents(String name) {
		return Stream.of(this.beans.getDependentBeans(name));
	}

}
