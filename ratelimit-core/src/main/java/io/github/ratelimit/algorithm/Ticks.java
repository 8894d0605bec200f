package io.github.ratelimit.algorithm;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * The clock of an algorithm that counts in whole numbers. Its tick is a microsecond, or
 * the next power of ten, up to a second, at which its numbers fit those of Lua.
 */
final class Ticks {

	private static final long COARSEST = TimeUnit.SECONDS.toMicros(1);

	private Ticks() {
	}

	/**
	 * Returns the finest tick, in microseconds, that divides the period and fits.
	 */
	static OptionalLong finest(Rate rate, LongPredicate fits) {
		for (long tick = 1; tick <= COARSEST && rate.periodMicros() % tick == 0; tick *= 10) {
			if (fits.test(tick)) {
				return OptionalLong.of(tick);
			}
		}
		return OptionalLong.empty();
	}

	/** Returns the microseconds from now until so many ticks have begun; 0 for none. */
	static long micros(long ticks, long tick, long now) {
		return (tick == 1 || ticks == 0) ? ticks : (now / tick + ticks) * tick - now;
	}

}
