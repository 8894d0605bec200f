package io.github.ratelimit.algorithm;

import java.util.stream.Stream;

/**
 * The algorithms for deciding limits. A constant's {@link #id} is its name in
 * configuration. All that differs between algorithms is declared here, in the
 * {@link Formula} or in its {@link Rule}.
 */
public enum Algorithm {

	/**
	 * A bucket that holds up to <em>burst</em> permits and refills evenly at the limit's
	 * rate. A call takes its cost out or, if too little is left, nothing. In any stretch
	 * of time <em>t</em> it admits at most {@code burst + rate * t}.
	 */
	TOKEN_BUCKET("token-bucket", TokenBucket.RULE, true),

	/**
	 * A leaky bucket that admits calls evenly paced. It is the generic cell rate
	 * algorithm of ITU-T I.371, equal to a token bucket with a burst of 1; a larger burst
	 * may be set.
	 */
	LEAKY_BUCKET("leaky-bucket", TokenBucket.RULE, true),

	/**
	 * A window that begins with the first charge after the last one ended, or with a unit
	 * of the calendar, and admits the limit's permits. Around the end of a window, almost
	 * twice as many fit in one period. See the
	 * <a href="https://redis.io/docs/latest/commands/incr/">counter of Redis</a>.
	 */
	FIXED_WINDOW("fixed-window", FixedWindow.RULE, false),

	/**
	 * A counter of two windows. The permits spent in this window, plus the share of the
	 * window before that the last period still covers, may not exceed the limit's. Less
	 * than twice as many fit in one period. See <a href=
	 * "https://blog.cloudflare.com/counting-things-a-lot-of-different-things/">Cloudflare's
	 * description</a>.
	 */
	SLIDING_WINDOW_COUNTER("sliding-window-counter", SlidingWindowCounter.RULE, false),

	/**
	 * A log of all charges of the last period: the limit's permits are never exceeded in
	 * any period. It keeps each charge, so its memory grows with the number of permits.
	 * See <a href="https://www.figma.com/blog/an-alternative-approach-to-rate-limiting/">
	 * Figma's description</a>.
	 */
	SLIDING_WINDOW_LOG("sliding-window-log", SlidingWindowLog.RULE, false),

	/**
	 * A limit on concurrency: calls hold permits until they end, or until the lease of a
	 * call whose instance died has ended. Its rate is the permits per lease, and it is
	 * written {@code 5 concurrent lease 30s} instead of a rate and this name.
	 */
	CONCURRENCY("concurrency", Concurrency.RULE, false);

	private final String id;

	private final Rule rule;

	private final boolean hasBurst;

	Algorithm(String id, Rule rule, boolean hasBurst) {
		this.id = id;
		this.rule = rule;
		this.hasBurst = hasBurst;
	}

	/**
	 * Returns the algorithm of a name that a rate may have behind it.
	 * @param id a name in configuration
	 * @return the algorithm
	 * @throws IllegalArgumentException if there is none
	 */
	public static Algorithm of(String id) {
		return rates().filter((algorithm) -> algorithm.id.equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"there is no algorithm named '" + id + "'; there are " + rates().map(Algorithm::id).toList()));
	}

	/**
	 * Returns the algorithms of rates, whose names a rate may have behind it. A limit on
	 * concurrency is written without a name.
	 * @return all but {@link #CONCURRENCY}
	 */
	public static Stream<Algorithm> rates() {
		return Stream.of(values()).filter((algorithm) -> algorithm != CONCURRENCY);
	}

	/**
	 * Returns the name in configuration.
	 * @return lower case words joined by hyphens
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Returns the Lua form of its formulas, which several algorithms may share.
	 * @return the same as {@link Formula#rule}
	 */
	public Rule rule() {
		return this.rule;
	}

	/**
	 * Returns whether a burst can be set.
	 * @return whether {@link Limit#withBurst} accepts any
	 */
	public boolean hasBurst() {
		return this.hasBurst;
	}

	/** Returns what a limit by this algorithm is, for messages. */
	String noun() {
		return (this == CONCURRENCY) ? "a limit on concurrency" : "a " + this.id;
	}

	/** Returns the burst that follows from a rate. */
	long burst(Rate rate) {
		return (this == LEAKY_BUCKET) ? 1 : rate.permits();
	}

	Formula formula(Rate rate, long burst) {
		if (!this.hasBurst && burst != burst(rate)) {
			throw new IllegalArgumentException(noun() + " has no burst other than "
					+ ((burst(rate) == rate.permits()) ? "the permits of its limit" : burst(rate)));
		}
		return switch (this) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucket(rate, burst);
			case FIXED_WINDOW -> new FixedWindow(rate, Windows.fromFirstCharge(rate.periodMicros()));
			case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounter(rate);
			case SLIDING_WINDOW_LOG -> new SlidingWindowLog(rate);
			case CONCURRENCY -> new Concurrency(rate);
		};
	}

}
