package io.github.ratelimit.autoconfigure.reload;

import java.util.Objects;

import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reloads of the configuration of an application, for tests of any room.
 */
public final class Reloads {

	private Reloads() {
	}

	/**
	 * Changes properties and reloads them.
	 * @param context the application
	 * @param properties the properties that change, as {@code name=value}
	 * @return the outcome
	 */
	public static Reload of(ApplicationContext context, String... properties) {
		TestPropertyValues.of(properties).applyTo((ConfigurableApplicationContext) context);
		context.getBean(ConfigurationReload.class).reload();
		return last(context);
	}

	/**
	 * Asks the policy source.
	 * @param context the application
	 * @return the outcome of the last reload
	 */
	public static Reload poll(ApplicationContext context) {
		context.getBean(ConfigurationReload.class).poll();
		return last(context);
	}

	static Reload last(ApplicationContext context) {
		return Objects.requireNonNull(context.getBean(LastReload.class).get());
	}

}
