package io.github.ratelimit.autoconfigure.web;

import io.github.ratelimit.spring.web.RuleRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The runtime hints by which conditions of rules read a request in a native image.
 */
final class RuleRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(RuleRequest.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
