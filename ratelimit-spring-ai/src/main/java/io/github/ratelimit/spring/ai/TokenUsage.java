package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * The tokens of a call.
 *
 * @param prompt those of the prompt
 * @param completion those of the completion, and others that the model counts
 */
record TokenUsage(long prompt, long completion) {

	/** No tokens. */
	static final TokenUsage NONE = new TokenUsage(0, 0);

	/**
	 * Returns a number of images, each of which counts as one completed token.
	 */
	static TokenUsage images(int number) {
		return new TokenUsage(0, number);
	}

	/**
	 * Returns the tokens that a response reports, {@code null} if it reports none or
	 * negative numbers.
	 */
	static @Nullable TokenUsage find(@Nullable ChatResponse response) {
		return (response != null) ? find(response.getMetadata().getUsage()) : null;
	}

	/**
	 * Returns the tokens of a report, {@code null} if there are none or negative numbers.
	 */
	static @Nullable TokenUsage find(@Nullable Usage usage) {
		if (usage == null || usage instanceof EmptyUsage) {
			return null;
		}
		long prompt = orZero(usage.getPromptTokens());
		long completion = orZero(usage.getCompletionTokens());
		long total = orZero(usage.getTotalTokens());
		return (Math.min(prompt, Math.min(completion, total)) < 0) ? null
				: new TokenUsage(prompt, Math.max(completion, total - prompt));
	}

	private static long orZero(@Nullable Integer tokens) {
		return (tokens != null) ? tokens : 0;
	}

	/**
	 * Returns the larger of each number, as the parts of a stream report what was used so
	 * far or only one of the two.
	 */
	TokenUsage max(TokenUsage other) {
		return new TokenUsage(Math.max(this.prompt, other.prompt), Math.max(this.completion, other.completion));
	}

	/** Returns the tokens of the prompt alone. */
	TokenUsage ofPrompt() {
		return new TokenUsage(this.prompt, 0);
	}

	/** Returns all tokens. */
	long total() {
		return this.prompt + this.completion;
	}

}
