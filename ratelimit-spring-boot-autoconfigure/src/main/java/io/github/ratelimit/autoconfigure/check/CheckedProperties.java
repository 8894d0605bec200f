package io.github.ratelimit.autoconfigure.check;

import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;

import org.springframework.core.env.Environment;

/**
 * The properties that checks read: those of the start, or of the last reload.
 * Thread-safe.
 */
public final class CheckedProperties {

	private volatile RateLimitProperties properties;

	private volatile Supplier<Environment> environment;

	/**
	 * Creates the properties of the start.
	 * @param properties the properties
	 * @param environment supplies the environment that they are from
	 */
	CheckedProperties(RateLimitProperties properties, Supplier<Environment> environment) {
		this.properties = properties;
		this.environment = environment;
	}

	/**
	 * Replaces the properties by those of a reload.
	 * @param properties the properties
	 * @param environment supplies the environment that they are from
	 */
	public void replace(RateLimitProperties properties, Supplier<Environment> environment) {
		this.properties = properties;
		this.environment = environment;
	}

	RateLimitProperties get() {
		return this.properties;
	}

	PropertyNames names() {
		return new PropertyNames(this.environment.get());
	}

}
