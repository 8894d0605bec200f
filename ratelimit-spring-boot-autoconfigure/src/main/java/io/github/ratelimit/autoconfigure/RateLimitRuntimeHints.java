package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * The runtime hints that keep the Lua scripts, the names of characters, and the
 * properties of all modules with the types of their libraries, in a native image.
 */
final class RateLimitRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/github/ratelimit/algorithm/*.lua")
			.registerPattern("io/github/ratelimit/spring/redis/script/*.lua")
			.registerPattern("io/github/ratelimit/autoconfigure/redis/*.lua")
			.registerPattern("java/lang/uniName.dat");
		PropertyGroups.typesOfLibraries()
			.forEach((library) -> hints.reflection().registerTypeIfPresent(classLoader, library));
		BindableRuntimeHintsRegistrar.forTypes(PropertyGroups.types()).registerHints(hints, classLoader);
	}

}
