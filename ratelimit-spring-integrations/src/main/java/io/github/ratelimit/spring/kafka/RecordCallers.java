package io.github.ratelimit.spring.kafka;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.MessageCallerSource;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A source of the callers of record listeners, whose headers are those of the record that
 * the current thread processes.
 */
public final class RecordCallers implements MessageCallerSource {

	private static final ThreadLocal<@Nullable Caller> CURRENT = new ThreadLocal<>();

	@Override
	public Caller current() {
		Caller caller = CURRENT.get();
		return (caller != null) ? caller : Caller.NONE;
	}

	/** Begins the processing of a record on the current thread. */
	void begin(Headers headers) {
		CURRENT.set(new RecordCaller(headers));
	}

	/** Ends the processing of a record on the current thread. */
	void end() {
		CURRENT.remove();
	}

}
