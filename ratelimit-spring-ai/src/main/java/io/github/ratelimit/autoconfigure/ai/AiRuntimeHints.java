package io.github.ratelimit.autoconfigure.ai;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The runtime hints by which a native image reads options of models and rejections of
 * providers. They are named, as an application has few of them.
 */
final class AiRuntimeHints implements RuntimeHintsRegistrar {

	static final List<String> TYPES = List.of("org.springframework.ai.openai.OpenAiChatOptions",
			"org.springframework.ai.azure.openai.AzureOpenAiChatOptions", "com.openai.errors.RateLimitException",
			"com.openai.errors.InternalServerException", "com.openai.core.http.Headers",
			"com.anthropic.errors.RateLimitException", "com.anthropic.errors.InternalServerException",
			"com.anthropic.core.http.Headers");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		TYPES.forEach((type) -> hints.reflection()
			.registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
