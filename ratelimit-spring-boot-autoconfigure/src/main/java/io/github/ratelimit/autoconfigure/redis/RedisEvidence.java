package io.github.ratelimit.autoconfigure.redis;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.ratelimit.autoconfigure.store.BeanOrigins;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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
		return named().or(this::property)
			.or(this::hiddenProperty)
			.or(() -> bean(CONNECTION_DETAILS, "there are connection details of a Redis"))
			.or(() -> bean(CONNECTION_FACTORY, "the application has a RedisConnectionFactory bean"));
	}

	/** Returns a property for Redis that Spring Boot no longer reads. */
	Optional<String> outdated() {
		return Stream.of("url", "host", "sentinel.master", "cluster.nodes")
			.map((name) -> "spring.redis." + name)
			.filter(this.environment::containsProperty)
			.findFirst();
	}

	private Optional<String> named() {
		return Optional.of(ConnectionFactories.PROPERTY)
			.filter(this.environment::containsProperty)
			.map((name) -> "'" + name + "' is set");
	}

	private Optional<String> property() {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter((name) -> PROPERTIES.isAncestorOf(name) && !REPOSITORIES.isAncestorOf(name))
			.findFirst()
			.map((name) -> "'" + name + "' is set");
	}

	/** Returns a property of a source whose names cannot be listed. */
	private Optional<String> hiddenProperty() {
		return Stream.of("url", "host", "port", "sentinel.master", "cluster.nodes")
			.map((name) -> PROPERTIES + "." + name)
			.filter(this.environment::containsProperty)
			.findFirst()
			.map((name) -> "'" + name + "' is set");
	}

	private Optional<String> bean(String type, String clause) {
		Class<?> loaded = type(type);
		return (loaded != null
				&& Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, loaded, true, false))
					.anyMatch((name) -> !this.origins.isWithin(BOOT, name))) ? Optional.of(clause) : Optional.empty();
	}

	private @Nullable Class<?> type(String name) {
		ClassLoader classes = this.beans.getBeanClassLoader();
		return ClassUtils.isPresent(name, classes) ? ClassUtils.resolveClassName(name, classes) : null;
	}

}
