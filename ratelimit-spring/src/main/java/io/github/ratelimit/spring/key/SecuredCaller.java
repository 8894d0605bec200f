package io.github.ratelimit.spring.key;

import java.util.Set;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A caller whose authorities and claims are those of the {@link #user() user} whom Spring
 * Security, if present, has authenticated.
 */
public interface SecuredCaller extends Caller {

	@Override
	default boolean hasRole(String role) {
		return SecuredUser.hasRole(user(), role);
	}

	@Override
	default Set<String> authorities() {
		return SecuredUser.authorities(user());
	}

	@Override
	default @Nullable Object claim(String name) {
		return SecuredUser.claim(user(), name);
	}

}
