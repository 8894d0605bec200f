package io.github.ratelimit.algorithm;

import java.util.stream.Stream;

/**
 * Limits by any algorithm, as similar as their algorithms allow.
 */
public final class AnyLimit {

	private AnyLimit() {
	}

	/**
	 * Creates a limit whose burst is its permits, unless the algorithm has another one
	 * that cannot be set.
	 * @param algorithm any algorithm
	 * @param rate permits per period
	 * @return the limit
	 */
	public static Limit of(Algorithm algorithm, String rate) {
		return withBurst(Limit.of(algorithm, Rate.parse(rate)), Rate.parse(rate).permits());
	}

	/**
	 * Returns a limit with a burst, if its algorithm has one.
	 * @param limit any limit
	 * @param burst at least 1
	 * @return a limit with the burst, or the same limit
	 */
	public static Limit withBurst(Limit limit, long burst) {
		return limit.algorithm().hasBurst() ? limit.withBurst(burst) : limit;
	}

	/**
	 * Creates a limit by each algorithm whose permits may be prefetched.
	 * @param rate permits per period
	 * @param prefetch the permits to prefetch, which have to fit into the burst
	 * @return limits by {@link #of}
	 */
	public static Stream<Limit> prefetchable(String rate, long prefetch) {
		return Stream.of(Algorithm.values())
			.map((algorithm) -> of(algorithm, rate))
			.filter((limit) -> limit.formula().isPrefetchable() && limit.burst() >= prefetch);
	}

	/**
	 * Returns the text of a limit.
	 * @param algorithm any algorithm
	 * @param permits permits per second or, of a limit on concurrency, held at once
	 * @return the text as in configuration
	 */
	public static String text(Algorithm algorithm, long permits) {
		return (algorithm == Algorithm.CONCURRENCY) ? permits + " concurrent lease 1s"
				: permits + "/1s " + algorithm.id();
	}

}
