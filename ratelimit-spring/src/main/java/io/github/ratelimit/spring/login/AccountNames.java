package io.github.ratelimit.spring.login;

import io.github.ratelimit.key.TypedName;

/**
 * The names of accounts as wrong passwords count them. A bean of this type replaces
 * {@link TypedName}. Thread-safe.
 */
@FunctionalInterface
public interface AccountNames {

	/**
	 * Returns the name under which a login counts. Two names that may log in to one
	 * account need the same.
	 * @param typed the name as the client sends it, of any length
	 * @return the name, of which the first 256 characters count; empty if there is none
	 */
	String counted(String typed);

}
