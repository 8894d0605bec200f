package io.github.ratelimit.autoconfigure.redis;

import java.util.Arrays;
import java.util.stream.Collectors;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The {@code RedisConnectionFactory} beans of an application.
 *
 * @param beans all beans
 * @param configured the name of the one to use, if it is configured
 */
record ConnectionFactories(ConfigurableListableBeanFactory beans, @Nullable String configured) {

	static final String PROPERTY = RateLimitProperties.PREFIX + ".redis.connection-factory";

	/** Returns whether there are any, or should be. */
	boolean areThere() {
		return this.configured != null || names().length > 0;
	}

	/** Returns the one to use. */
	NamedBeanHolder<RedisConnectionFactory> chosen() {
		return (this.configured != null) ? named(this.configured) : single();
	}

	private NamedBeanHolder<RedisConnectionFactory> named(String name) {
		if (!this.beans.containsBean(name) || !this.beans.isTypeMatch(name, RedisConnectionFactory.class)) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + PROPERTY + "' has the value '" + name
							+ "', but there is no RedisConnectionFactory bean of this name; there is " + listed(),
					"Correct the property '" + PROPERTY + "', or remove it if one bean is the only or primary one.",
					null);
		}
		return new NamedBeanHolder<>(name, this.beans.getBean(name, RedisConnectionFactory.class));
	}

	private NamedBeanHolder<RedisConnectionFactory> single() {
		try {
			return this.beans.resolveNamedBean(RedisConnectionFactory.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidRateLimitConfigurationException(
					"There are several RedisConnectionFactory beans, and none is primary: " + listed(),
					"Set '" + PROPERTY + "' to the name of the one for rate limits, mark it as @Primary, "
							+ "or set 'ratelimit.store' to 'memory'.",
					ex);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.store' is 'redis', but there is no RedisConnectionFactory bean",
					"Add spring-boot-starter-data-redis, or set 'ratelimit.store' to 'memory'.", ex);
		}
	}

	private String listed() {
		String listed = Arrays.stream(names()).map((name) -> "'" + name + "'").collect(Collectors.joining(", "));
		return listed.isEmpty() ? "none" : listed;
	}

	private String[] names() {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, RedisConnectionFactory.class);
	}

}
