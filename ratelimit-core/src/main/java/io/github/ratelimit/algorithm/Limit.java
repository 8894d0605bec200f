package io.github.ratelimit.algorithm;

import java.util.Objects;

/**
 * So many permits per period, by one algorithm, with a burst. Immutable.
 */
public final class Limit {

	private final Algorithm algorithm;

	private final Rate rate;

	private final long burst;

	private final Formula formula;

	private Limit(Algorithm algorithm, Rate rate, long burst) {
		if (burst < 1) {
			throw new IllegalArgumentException("burst must be at least 1, was " + burst);
		}
		this.algorithm = algorithm;
		this.rate = rate;
		this.burst = burst;
		this.formula = algorithm.formula(rate, burst);
	}

	/**
	 * A limit with its algorithm's burst: the permits of one period, or 1 for a leaky
	 * bucket.
	 * @param algorithm how it is decided
	 * @param rate permits per period
	 * @return the limit
	 * @throws IllegalArgumentException if the numbers cannot be counted exactly
	 */
	public static Limit of(Algorithm algorithm, Rate rate) {
		return new Limit(algorithm, rate, algorithm.burst(rate));
	}

	/**
	 * This limit with another burst.
	 * @param burst the most permits that can be spent at once, at least 1
	 * @return the limit
	 * @throws IllegalArgumentException if the burst is below 1, the algorithm has no
	 * burst, or the numbers cannot be counted exactly
	 */
	public Limit withBurst(long burst) {
		return new Limit(this.algorithm, this.rate, burst);
	}

	/**
	 * How the limit is decided.
	 * @return the algorithm
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * The permits that the limit gives in the long run.
	 * @return permits per period
	 */
	public Rate rate() {
		return this.rate;
	}

	/**
	 * The most permits that can be spent at once, and so the highest cost of a call.
	 * @return at least 1
	 */
	public long burst() {
		return this.burst;
	}

	/**
	 * The limit's arithmetic, for stores.
	 * @return the same instance at every call
	 */
	public Formula formula() {
		return this.formula;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Limit that && this.algorithm == that.algorithm && this.rate.equals(that.rate)
				&& this.burst == that.burst;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.algorithm, this.rate, this.burst);
	}

	/**
	 * The rate as users write it.
	 * @return such as {@code 100/1m}
	 */
	@Override
	public String toString() {
		return this.rate.toString();
	}

}
