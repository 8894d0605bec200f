package io.github.ratelimit.spring.check;

import java.util.Collection;

/**
 * A use of policies that neither rules nor annotations show, by the configuration of
 * another module.
 */
@FunctionalInterface
public interface PolicyUse {

	/**
	 * Returns the policies that are used.
	 * @return names of policies
	 */
	Collection<String> policies();

}
