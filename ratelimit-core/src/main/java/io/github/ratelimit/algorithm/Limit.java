package io.github.ratelimit.algorithm;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A number of permits per period, with an algorithm and a burst, or a number of permits
 * that calls may hold at once. Immutable.
 */
public final class Limit {

	/** The algorithm of limits that name none, if nothing else says so. */
	public static final String STANDARD_ALGORITHM = "token-bucket";

	/**
	 * The numbers of parts that are tried. Nearly all can be counted, and of permits that
	 * cannot, some rounder number nearby can.
	 */
	private static final int MOST_TRIES = 64;

	private final Algorithm algorithm;

	private final Rate rate;

	private final long burst;

	private final @Nullable Alignment alignment;

	private final Formula formula;

	private final @Nullable LongFormula longFormula;

	private final long periodMicros;

	private final String period;

	private final int hash;

	private Limit(Algorithm algorithm, Rate rate, long burst, @Nullable Alignment alignment) {
		if (burst < 1) {
			throw new IllegalArgumentException("burst must be at least 1, was " + burst);
		}
		this.algorithm = algorithm;
		this.rate = rate;
		this.burst = burst;
		this.alignment = alignment;
		this.formula = (alignment != null) ? aligned(algorithm, rate, alignment) : algorithm.formula(rate, burst);
		this.longFormula = this.formula.longFormula();
		this.periodMicros = rate.periodMicros();
		this.period = rate.periodText();
		this.hash = Objects.hash(algorithm, rate, burst, alignment);
	}

	/**
	 * Creates a limit with its algorithm's burst, such as the permits of one period, or 1
	 * for a leaky bucket.
	 * @param algorithm the algorithm
	 * @param rate permits per period
	 * @return the limit
	 * @throws IllegalArgumentException if the numbers cannot be counted exactly
	 */
	public static Limit of(Algorithm algorithm, Rate rate) {
		return new Limit(algorithm, rate, algorithm.burst(rate), null);
	}

	/**
	 * Reads a limit in configuration, by a token bucket if the text names no algorithm.
	 * @param text the limit
	 * @return the limit
	 * @throws IllegalArgumentException if the text has another form, or the numbers
	 * cannot be counted exactly
	 * @see #parse(String, Algorithm)
	 */
	public static Limit parse(String text) {
		return parse(text, Algorithm.of(STANDARD_ALGORITHM));
	}

	/**
	 * Reads a limit in configuration: {@code permits/period}, optionally followed by an
	 * algorithm, and by a burst or an alignment, as in {@code 100/1m},
	 * {@code 5/1m sliding-window-log}, {@code 10/1s token-bucket burst 20} and
	 * {@code 1000/1d fixed-window align day zone Asia/Tokyo}; or {@code 5 concurrent},
	 * optionally followed by the lease of a permit, as in {@code 5 concurrent lease 10s}.
	 * @param text the limit
	 * @param standard the algorithm if the text names none
	 * @return the limit
	 * @throws IllegalArgumentException if the text has another form, or the numbers
	 * cannot be counted exactly
	 */
	public static Limit parse(String text, Algorithm standard) {
		if (ConcurrencyText.matches(text)) {
			return of(Algorithm.CONCURRENCY, ConcurrencyText.read(text));
		}
		LimitText words = LimitText.read(text);
		Rate rate = Rate.parse(words.rate());
		if (words.algorithm() == null && standard == Algorithm.CONCURRENCY) {
			throw new IllegalArgumentException(ConcurrencyText.FORM);
		}
		String algorithm = words.algorithm();
		Limit limit = of((algorithm != null) ? Algorithm.of(algorithm) : standard, rate);
		Long burst = words.burst();
		Alignment alignment = words.alignment();
		limit = (burst != null) ? limit.withBurst(burst) : limit;
		return (alignment != null) ? limit.withAlignment(alignment) : limit;
	}

	/**
	 * Returns this limit with another burst.
	 * @param burst the most permits that can be spent at once, at least 1
	 * @return the limit
	 * @throws IllegalArgumentException if the burst is below 1, the algorithm has no
	 * burst, or the numbers cannot be counted exactly
	 */
	public Limit withBurst(long burst) {
		return new Limit(this.algorithm, this.rate, burst, this.alignment);
	}

	/**
	 * Returns this limit with another number of permits. Its burst stays, unless it was
	 * that of the algorithm.
	 * @param permits permits per period, at least 1
	 * @return the limit
	 * @throws IllegalArgumentException if the numbers cannot be counted exactly
	 */
	public Limit withPermits(long permits) {
		Rate other = new Rate(permits, this.rate.period());
		boolean isStandard = this.burst == this.algorithm.burst(this.rate);
		return new Limit(this.algorithm, other, isStandard ? this.algorithm.burst(other) : this.burst, this.alignment);
	}

	/**
	 * Returns this limit with windows aligned to the calendar.
	 * @param alignment the unit and its time zone
	 * @return the limit
	 * @throws IllegalArgumentException if the limit is no fixed window, or its period is
	 * not that of the unit
	 */
	public Limit withAlignment(Alignment alignment) {
		return new Limit(this.algorithm, this.rate, this.burst, alignment);
	}

	/**
	 * Returns a share of this limit: of its permits and of its burst, each rounded up.
	 * @param percent from 1 to 100
	 * @return the limit
	 * @throws IllegalArgumentException if the numbers cannot be counted exactly
	 */
	public Limit share(int percent) {
		if (percent == 100) {
			return this;
		}
		Rate share = new Rate(part(this.rate.permits(), percent), this.rate.period());
		return new Limit(this.algorithm, share, part(this.burst, percent), this.alignment);
	}

	/**
	 * Returns one of equal parts of this limit: of its permits and of its burst, each
	 * rounded down, but at least 1. Parts that cannot be counted exactly are smaller.
	 * @param parts the number of parts, at least 1
	 * @return the limit
	 */
	public Limit part(int parts) {
		if (parts == 1) {
			return this;
		}
		for (long tried = parts; tried < (long) parts + MOST_TRIES; tried++) {
			Limit part = tryPart(tried);
			if (part != null) {
				return part;
			}
		}
		return new Limit(this.algorithm, new Rate(1, this.rate.period()), 1, this.alignment);
	}

	/** Returns a part of this limit, or null if it cannot be counted exactly. */
	private @Nullable Limit tryPart(long parts) {
		Rate part = new Rate(Math.max(1, this.rate.permits() / parts), this.rate.period());
		try {
			return new Limit(this.algorithm, part, Math.max(1, this.burst / parts), this.alignment);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Returns the algorithm.
	 * @return the algorithm
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * Returns whether calls hold the permits until they end.
	 * @return whether this is a limit on concurrency
	 */
	public boolean isConcurrency() {
		return this.algorithm == Algorithm.CONCURRENCY;
	}

	/**
	 * Returns the permits that the limit gives in the long run. For a limit on
	 * concurrency, these are the permits that calls may hold at once, and the period is
	 * their lease.
	 * @return permits per period
	 */
	public Rate rate() {
		return this.rate;
	}

	/**
	 * Returns the period of the rate. It is part of a count's identity: limits of
	 * different periods never share a count.
	 * @return the period as in configuration, such as {@code 1m}
	 */
	public String period() {
		return this.period;
	}

	/**
	 * Returns the period of the rate in the unit of stores.
	 * @return microseconds, at least 1
	 */
	public long periodMicros() {
		return this.periodMicros;
	}

	/**
	 * Returns the most permits that can be spent at once, which is the highest cost of a
	 * call.
	 * @return at least 1
	 */
	public long burst() {
		return this.burst;
	}

	/**
	 * Returns the alignment of a fixed window.
	 * @return {@code null} if windows begin with a first charge
	 */
	public @Nullable Alignment alignment() {
		return this.alignment;
	}

	/**
	 * Returns the limit's arithmetic, for stores.
	 * @return the same instance at every call
	 */
	public Formula formula() {
		return this.formula;
	}

	/**
	 * Returns the limit's arithmetic for counting without a lock.
	 * @return the result of {@link Formula#longFormula}
	 */
	public @Nullable LongFormula longFormula() {
		return this.longFormula;
	}

	@Override
	public boolean equals(Object other) {
		return this == other || (other instanceof Limit that && this.hash == that.hash
				&& this.algorithm == that.algorithm && this.rate.equals(that.rate) && this.burst == that.burst
				&& Objects.equals(this.alignment, that.alignment));
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

	/**
	 * Returns the rate or the concurrency as in configuration.
	 * @return such as {@code 100/1m} or {@code 5 concurrent}
	 */
	@Override
	public String toString() {
		return isConcurrency() ? ConcurrencyText.of(this.rate) : this.rate.toString();
	}

	private static long part(long permits, int percent) {
		return permits / 100 * percent + (permits % 100 * percent + 99) / 100;
	}

	private static Formula aligned(Algorithm algorithm, Rate rate, Alignment alignment) {
		if (algorithm != Algorithm.FIXED_WINDOW) {
			throw new IllegalArgumentException(
					"only a fixed-window is aligned to the calendar, not " + algorithm.noun());
		}
		if (!rate.period().equals(alignment.unit().period())) {
			throw new IllegalArgumentException("windows aligned to a " + alignment.unit().id() + " need a period of "
					+ new Rate(rate.permits(), alignment.unit().period()) + ", was " + rate);
		}
		return new FixedWindow(rate, Windows.aligned(alignment));
	}

}
