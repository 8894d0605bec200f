package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * The tokens of a call.
 *
 * @param prompt those of the prompt
 * @param completion those of the completion, and others that the model counts
 */
record TokenUsage(long prompt, long completion) {

	/** No tokens, as responses without usage report them. */
	static final TokenUsage NONE = new TokenUsage(0, 0);

	/** Returns the tokens that a response reports, if any. */
	static TokenUsage of(@Nullable ChatResponse response) {
		Usage usage = (response != null) ? response.getMetadata().getUsage() : null;
		if (usage == null) {
			return NONE;
		}
		long prompt = atLeastZero(usage.getPromptTokens());
		long completion = atLeastZero(usage.getCompletionTokens());
		return new TokenUsage(prompt, Math.max(completion, atLeastZero(usage.getTotalTokens()) - prompt));
	}

	private static long atLeastZero(@Nullable Integer tokens) {
		return (tokens != null) ? Math.max(0, tokens) : 0;
	}

	/**
	 * Returns the larger of each number, as the parts of a stream report what was used so
	 * far or only one of the two.
	 */
	TokenUsage max(TokenUsage other) {
		return new TokenUsage(Math.max(this.prompt, other.prompt), Math.max(this.completion, other.completion));
	}

	/** Returns whether tokens are known. */
	boolean isKnown() {
		return total() > 0;
	}

	/** Returns all tokens. */
	long total() {
		return this.prompt + this.completion;
	}

}
