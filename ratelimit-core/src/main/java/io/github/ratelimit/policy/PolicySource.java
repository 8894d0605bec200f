package io.github.ratelimit.policy;

import java.util.Map;

/**
 * A source of policies and rules next to those of an application's configuration, such as
 * a database or another service.
 */
@FunctionalInterface
public interface PolicySource {

	/**
	 * Returns the policies and rules as they are now. The limiter asks at the start and
	 * then at an interval, on one thread at a time, which may block. After an exception,
	 * what the source returned before stays in effect.
	 * @return the values by names as in a properties file, such as {@code 100/1m} by
	 * {@code ratelimit.policies.search.limits}; a list is one value or has names with
	 * indexes
	 */
	Map<String, ?> properties();

}
