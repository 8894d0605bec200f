package io.github.ratelimit.jdbc;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The clock of the server, or another one in tests.
 *
 * @param replacement the other clock, in microseconds; {@code null} for none
 */
record StoreClock(@Nullable LongSupplier replacement) {

	static final StoreClock OF_SERVER = new StoreClock(null);

	/** Returns the time to decide by, from that of the server. */
	long time(long server) {
		LongSupplier other = this.replacement;
		return (other != null) ? other.getAsLong() : server;
	}

	/** Returns the time to use in place of the server's, or null. */
	@Nullable Long replaced() {
		LongSupplier other = this.replacement;
		return (other != null) ? other.getAsLong() : null;
	}

}
