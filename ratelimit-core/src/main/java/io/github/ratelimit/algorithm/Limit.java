package io.github.ratelimit.algorithm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * So many permits per period, by one algorithm, with a burst. Immutable.
 */
public final class Limit {

	private static final String BURST = "burst";

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
	 * Reads a limit as users write it: {@code permits/period}, then if need be an
	 * algorithm, then if need be a burst, as in {@code 100/1m},
	 * {@code 5/1m sliding-window-log} and {@code 10/1s token-bucket burst 20}.
	 * @param text the limit
	 * @param standard the algorithm where the text names none
	 * @return the limit
	 * @throws IllegalArgumentException if the text has another form, or the numbers
	 * cannot be counted exactly
	 */
	public static Limit parse(String text, Algorithm standard) {
		Deque<String> words = new ArrayDeque<>(List.of(text.strip().split("\\s+")));
		Rate rate = Rate.parse(words.remove());
		boolean named = !words.isEmpty() && !words.element().equals(BURST);
		Limit limit = of(named ? Algorithm.of(words.remove()) : standard, rate);
		if (words.isEmpty()) {
			return limit;
		}
		if (words.size() == 2 && words.remove().equals(BURST) && words.element().matches("\\d{1,18}")) {
			return limit.withBurst(Long.parseLong(words.element()));
		}
		throw new IllegalArgumentException(
				"after permits/period a limit has at most an algorithm and 'burst' with a number");
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
