package io.github.ratelimit.autoconfigure.reload;

import java.util.List;
import java.util.function.Predicate;

import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * The configuration files of an application: {@code application.yaml} and its like, and
 * what they import.
 */
final class ConfigurationFiles {

	private final ConfigurableEnvironment environment;

	/**
	 * Creates configuration files.
	 * @param environment the environment of the application, which stays as it is
	 */
	ConfigurationFiles(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	/** Returns the environment with the files as they are now. */
	Environment read() {
		ConfigurableEnvironment read = new EmptyEnvironment();
		List<PropertySource<?>> sources = this.environment.getPropertySources()
			.stream()
			.filter((source) -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
			.toList();
		int first = (int) sources.stream().takeWhile((source) -> !isFile(source)).count();
		sources.subList(0, first).forEach(read.getPropertySources()::addLast);
		addLast(read, sources, DefaultPropertiesPropertySource::hasMatchingName);
		ConfigDataEnvironmentPostProcessor.applyTo(read, new DefaultResourceLoader(), new DefaultBootstrapContext(),
				this.environment.getActiveProfiles());
		addLast(read, sources.subList(first, sources.size()), (source) -> !isFile(source));
		DefaultPropertiesPropertySource.moveToEnd(read);
		return read;
	}

	private static void addLast(ConfigurableEnvironment environment, List<PropertySource<?>> sources,
			Predicate<PropertySource<?>> added) {
		sources.stream().filter(added).forEach(environment.getPropertySources()::addLast);
	}

	private static boolean isFile(PropertySource<?> source) {
		return source instanceof ConfigTreePropertySource
				|| (source instanceof OriginTrackedMapPropertySource && source.getName().startsWith("Config resource"));
	}

	private static final class EmptyEnvironment extends StandardEnvironment {

		@Override
		protected void customizePropertySources(MutablePropertySources propertySources) {
		}

	}

}
