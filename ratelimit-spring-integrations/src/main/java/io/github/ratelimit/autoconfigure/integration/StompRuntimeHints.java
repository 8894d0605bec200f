package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.spring.stomp.StompRejection;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The runtime hints by which converters write rejections of STOMP messages in a native
 * image.
 */
final class StompRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), StompRejection.class);
	}

}
