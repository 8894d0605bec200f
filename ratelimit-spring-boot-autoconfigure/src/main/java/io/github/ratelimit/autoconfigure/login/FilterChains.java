package io.github.ratelimit.autoconfigure.login;

import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The filter chains of an application, some of which may be lazy.
 *
 * @param type the type of their beans
 * @param beans the beans of the application
 */
record FilterChains(Class<?> type, ConfigurableListableBeanFactory beans) {

	/** Returns whether all are built, so that it is known which logins they have. */
	boolean areBuilt() {
		return Stream.of(this.beans.getBeanNamesForType(this.type, true, false))
			.allMatch(this.beans::containsSingleton);
	}

}
