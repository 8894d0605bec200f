package io.github.ratelimit.spring.expression;

import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

/**
 * The user of a call, as expressions read it. Without an authenticated user it has no
 * name, authorities or claims.
 */
public final class UserView {

	private final Caller caller;

	UserView(Caller caller) {
		this.caller = caller;
	}

	/**
	 * Returns the name of the user.
	 * @return the name, or {@code null} without an authenticated user
	 */
	public @Nullable String getName() {
		return this.caller.principal();
	}

	/**
	 * Returns what the user is allowed to do.
	 * @return the names of authorities, such as {@code ROLE_ADMIN}
	 */
	public Set<String> getAuthorities() {
		return this.caller.authorities();
	}

	/**
	 * Returns whether the user has a role.
	 * @param role the role's name, without {@code ROLE_}
	 * @return whether the user has it
	 */
	public boolean hasRole(String role) {
		return this.caller.hasRole(role);
	}

	/**
	 * Returns a claim about the user.
	 * @param name the claim's name, such as {@code sub}
	 * @return its value, or {@code null} if there is none
	 */
	public @Nullable Object claim(String name) {
		return this.caller.claim(name);
	}

	/** Returns the name, as a key that names the user means it. */
	@Override
	public String toString() {
		return Objects.requireNonNullElse(getName(), "");
	}

}
