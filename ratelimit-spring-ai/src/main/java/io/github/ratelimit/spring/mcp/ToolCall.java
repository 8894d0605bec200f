package io.github.ratelimit.spring.mcp;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, and how its method failed. The thread that calls the method and the
 * one that completes its result may differ.
 */
final class ToolCall {

	private final Caller caller;

	private volatile @Nullable Throwable failure;

	ToolCall(Caller caller) {
		this.caller = caller;
	}

	Caller caller() {
		return this.caller;
	}

	/** Notes the exception that the method ended with, before it becomes a text. */
	void failed(Throwable failure) {
		this.failure = failure;
	}

	/** Returns the exception that the method ended with, {@code null} for none. */
	@Nullable Throwable failure() {
		return this.failure;
	}

}
