package io.github.ratelimit.spring.redis.script;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The clock of the server as far as it is known here: that of this instance, until a
 * reply shows by how much it differs. Or a clock that replaces both, by which the server
 * decides. Thread-safe.
 */
public final class ServerClock {

	private final LongSupplier instanceMicros;

	private final @Nullable LongSupplier replacing;

	private volatile long aheadMicros;

	private ServerClock(LongSupplier instanceMicros, @Nullable LongSupplier replacing) {
		this.instanceMicros = instanceMicros;
		this.replacing = replacing;
	}

	/**
	 * Returns the clock of a server.
	 * @param millis the clock of this instance, like {@link System#currentTimeMillis}
	 */
	public static ServerClock like(LongSupplier millis) {
		return new ServerClock(() -> TimeUnit.MILLISECONDS.toMicros(millis.getAsLong()), null);
	}

	/**
	 * Returns a clock by which a server decides instead of its own.
	 * @param micros microseconds since 1970
	 */
	public static ServerClock replacedBy(LongSupplier micros) {
		return new ServerClock(micros, micros);
	}

	/** Returns whether the server decides by this clock instead of its own. */
	boolean isReplaced() {
		return this.replacing != null;
	}

	/** Returns the time in microseconds since 1970. */
	long micros() {
		return this.instanceMicros.getAsLong() + this.aheadMicros;
	}

	/** Sets the time that the server has told, so that this clock is not ahead of it. */
	void set(long micros) {
		this.aheadMicros = micros - this.instanceMicros.getAsLong();
	}

	/** Returns a clock like {@link System#nanoTime} for times between decisions. */
	public LongSupplier nanoClock() {
		LongSupplier micros = this.replacing;
		return (micros != null) ? () -> TimeUnit.MICROSECONDS.toNanos(micros.getAsLong()) : System::nanoTime;
	}

}
