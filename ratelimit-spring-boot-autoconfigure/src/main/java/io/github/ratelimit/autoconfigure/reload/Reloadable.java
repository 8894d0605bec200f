package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.policy.Policies;
import org.jspecify.annotations.Nullable;

/**
 * A part of the configuration that can be replaced while the application runs.
 */
@FunctionalInterface
public interface Reloadable {

	/**
	 * Reads and checks the part. Nothing changes before the result runs.
	 * @param properties the new properties
	 * @param policies all policies as the new properties have them
	 * @return puts the part into effect
	 * @throws IllegalArgumentException if the part does not fit the policies
	 */
	Runnable prepare(PropertiesInEffect properties, Policies policies);

	/**
	 * Returns the properties that take effect because there is this part.
	 * @return their name behind the prefix, such as {@code login} for
	 * {@code ratelimit.login.*}; {@code null} if they take effect in any case
	 */
	default @Nullable String section() {
		return null;
	}

}
