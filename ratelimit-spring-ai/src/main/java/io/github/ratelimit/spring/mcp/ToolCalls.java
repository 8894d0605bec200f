package io.github.ratelimit.spring.mcp;

import java.util.function.Supplier;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.MessageCallerSource;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;

/**
 * The calls of tools that threads run, and a source of their callers. Thread-safe.
 */
public final class ToolCalls implements MessageCallerSource, Ordered {

	@SuppressWarnings("ThreadLocalUsage") // of one application, removed after each call
	private final ThreadLocal<@Nullable ToolCall> running = new ThreadLocal<>();

	@Override
	public Caller current() {
		ToolCall call = this.running.get();
		return (call != null) ? call.caller() : Caller.NONE;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/** Returns the call that the thread runs, {@code null} for none. */
	@Nullable ToolCall find() {
		return this.running.get();
	}

	/** Runs a call on this thread. A tool may call others of the same application. */
	<T> T run(ToolCall call, Supplier<T> method) {
		ToolCall outer = this.running.get();
		this.running.set(call);
		try {
			return method.get();
		}
		finally {
			if (outer != null) {
				this.running.set(outer);
			}
			else {
				this.running.remove();
			}
		}
	}

}
