package io.github.ratelimit.spring.redis.script;

import io.github.ratelimit.store.RateLimitStoreException;

/**
 * A reply that tells only the time of the server: at that time, other windows of the
 * calendar are current than those that the request was made for. Nothing was decided.
 */
public final class OtherTimeException extends RateLimitStoreException {

	private static final long serialVersionUID = 1L;

	private final long serverTimeMicros;

	OtherTimeException(long serverTimeMicros) {
		super("The clock of Redis is not in the window of the calendar that this instance asked for", Kind.OTHER, null);
		this.serverTimeMicros = serverTimeMicros;
	}

	/** Returns the time of the server in microseconds since 1970. */
	long serverTimeMicros() {
		return this.serverTimeMicros;
	}

}
