package io.github.ratelimit.autoconfigure.redis;

import java.util.Arrays;
import java.util.Optional;

import io.github.ratelimit.autoconfigure.store.BeanOrigins;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The evidence that an application uses a Redis, rather than just having its client on
 * the class path.
 */
final class RedisEvidence {

	private static final ConfigurationPropertyName PROPERTIES = ConfigurationPropertyName.of("spring.data.redis");

	/** Properties that are also set where there is no Redis, to save start-up time. */
	private static final ConfigurationPropertyName REPOSITORIES = PROPERTIES.append("repositories");

	private static final String BOOT = "org.springframework.boot.data.redis.autoconfigure.";

	private static final String CONNECTION_DETAILS = BOOT + "DataRedisConnectionDetails";

	private static final String CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

	private final Environment environment;

	private final ConfigurableListableBeanFactory beans;

	/** Spring Boot always has beans of its own for Redis. */
	private final BeanOrigins origins;

	RedisEvidence(Environment environment, ConfigurableListableBeanFactory beans) {
		this.environment = environment;
		this.beans = beans;
		this.origins = new BeanOrigins(beans);
	}

	/** Returns the first piece of evidence, as a clause. */
	Optional<String> first() {
		String property = property();
		if (property != null) {
			return Optional.of("'" + property + "' is set");
		}
		if (isBean(CONNECTION_DETAILS)) {
			return Optional.of("there are connection details of a Redis");
		}
		return isBean(CONNECTION_FACTORY) ? Optional.of("the application has a RedisConnectionFactory bean")
				: Optional.empty();
	}

	/** Returns a property for Redis that Spring Boot no longer reads. */
	Optional<String> outdated() {
		return Optional.ofNullable(set("spring.redis", "url", "host", "sentinel.master", "cluster.nodes"));
	}

	private @Nullable String property() {
		if (this.environment.containsProperty(ConnectionFactories.PROPERTY)) {
			return ConnectionFactories.PROPERTY;
		}
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			String listed = (source instanceof IterableConfigurationPropertySource names) ? listed(names) : null;
			if (listed != null) {
				return listed;
			}
		}
		return set(PROPERTIES.toString(), "url", "host", "port", "sentinel.master", "cluster.nodes");
	}

	private static @Nullable String listed(IterableConfigurationPropertySource names) {
		for (ConfigurationPropertyName name : names) {
			if (PROPERTIES.isAncestorOf(name) && !REPOSITORIES.isAncestorOf(name)) {
				return name.toString();
			}
		}
		return null;
	}

	/** Returns a property that is set, maybe in a source that does not list its names. */
	private @Nullable String set(String group, String... names) {
		for (String name : names) {
			if (this.environment.containsProperty(group + '.' + name)) {
				return group + '.' + name;
			}
		}
		return null;
	}

	private boolean isBean(String type) {
		Class<?> loaded = type(type);
		return loaded != null
				&& Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, loaded, true, false))
					.anyMatch((name) -> !this.origins.isWithin(BOOT, name));
	}

	private @Nullable Class<?> type(String name) {
		ClassLoader classes = this.beans.getBeanClassLoader();
		return ClassUtils.isPresent(name, classes) ? ClassUtils.resolveClassName(name, classes) : null;
	}

}
