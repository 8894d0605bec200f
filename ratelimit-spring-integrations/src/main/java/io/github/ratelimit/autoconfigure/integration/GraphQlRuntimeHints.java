package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.spring.graphql.GraphQlOperation;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The runtime hints by which costs read operations of GraphQL in a native image.
 */
final class GraphQlRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(GraphQlOperation.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
