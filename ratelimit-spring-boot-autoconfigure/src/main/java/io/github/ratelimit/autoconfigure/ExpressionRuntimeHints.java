package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.spring.expression.RequestView;
import io.github.ratelimit.spring.expression.ResponseView;
import io.github.ratelimit.spring.expression.UserView;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/**
 * The runtime hints by which expressions read requests, users and responses, and have
 * exact arithmetic, in a native image.
 */
final class ExpressionRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.of(RequestView.class, UserView.class, ResponseView.class)
			.forEach((view) -> hints.reflection().registerType(view, MemberCategory.INVOKE_PUBLIC_METHODS));
		hints.reflection().registerType(SpelNodeImpl.class, (node) -> node.withField("children"));
	}

}
