package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The runtime hints that keep the Lua scripts in a native image.
 */
final class RateLimitRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/github/ratelimit/algorithm/*.lua")
			.registerPattern("io/github/ratelimit/spring/redis/script/*.lua")
			.registerPattern("io/github/ratelimit/spring/redis/*.lua");
	}

}
