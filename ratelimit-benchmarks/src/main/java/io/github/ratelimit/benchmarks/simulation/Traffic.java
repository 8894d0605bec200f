package io.github.ratelimit.benchmarks.simulation;

import java.util.SplittableRandom;

/**
 * Calls of one instance.
 *
 * @param keys their keys
 * @param callers the calls in flight, each followed by the next; 0 for calls at random
 * times
 * @param blocking whether a thread waits for each
 * @param perSecond the calls a second at random times
 */
public record Traffic(Keys keys, int callers, boolean blocking, double perSecond) {

	/** Returns calls each of which follows the end of another. */
	public static Traffic inFlight(Keys keys, int callers, boolean blocking) {
		return new Traffic(keys, callers, blocking, 0);
	}

	/** Returns calls at random times, for each of which a thread waits. */
	static Traffic atRandom(Keys keys, double perSecond) {
		return new Traffic(keys, 0, true, perSecond);
	}

	/** A choice of keys. */
	public interface Keys {

		/** Returns the key of the next call. */
		int next(SplittableRandom random);

		/** Returns keys that are equally frequent. */
		static Keys uniform(int count) {
			return (random) -> random.nextInt(count);
		}

		/** Returns keys whose frequency is inverse to their rank, by Zipf's law. */
		static Keys skewed(int count) {
			return (random) -> (int) Math.pow(count, random.nextDouble()) - 1;
		}

		/** Returns one hot key. */
		static Keys hot() {
			return (random) -> 0;
		}

	}

	/**
	 * Limit of each key.
	 *
	 * @param perSecond the permits of a token bucket a second
	 * @param burst its size
	 * @param prefetch the permits that an instance takes in advance, from windows of a
	 * second; 0 for none
	 */
	public record Limit(double perSecond, int burst, int prefetch) {

		/** A limit that no key reaches. */
		public static final Limit NONE = prefetching(0);

		static Limit of(double perSecond) {
			return new Limit(perSecond, (int) Math.max(1, perSecond), 0);
		}

		static Limit prefetching(int permits) {
			return new Limit(Double.POSITIVE_INFINITY, 0, permits);
		}

	}

}
