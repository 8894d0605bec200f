package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;

/**
 * A part of the configuration that depends on the policies and can be replaced.
 */
interface Reloadable {

	/**
	 * Reads and checks the part. Nothing changes before the result runs.
	 * @param properties the new properties
	 * @param policies all policies as the new properties have them
	 * @return puts the part into effect
	 * @throws IllegalArgumentException if the part does not fit the policies
	 */
	Runnable prepare(RateLimitProperties properties, Policies policies);

}
