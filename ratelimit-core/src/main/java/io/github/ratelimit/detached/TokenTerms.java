package io.github.ratelimit.detached;

import java.time.Duration;
import java.util.Objects;

/**
 * The terms of the token of a detached reservation.
 *
 * @param expiry the time from now in which the reservation can be settled, by the clock
 * of the store: from a millisecond to 366 days
 * @param refundUnsettled whether the reservation is refunded if it was not settled in
 * that time; otherwise it stays charged
 */
public record TokenTerms(Duration expiry, boolean refundUnsettled) {

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(366);

	/**
	 * Checks the components.
	 * @param expiry the time in which the reservation can be settled
	 * @param refundUnsettled whether it is refunded otherwise
	 * @throws IllegalArgumentException if the time is out of bounds
	 */
	public TokenTerms {
		Objects.requireNonNull(expiry);
		if (expiry.compareTo(SHORTEST) < 0 || expiry.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'expiry' must be from 1ms to 366d, was " + expiry);
		}
	}

	/**
	 * Returns terms by which a reservation stays charged if it is not settled.
	 * @param expiry the time in which it can be settled, from a millisecond to 366 days
	 * @return the terms
	 */
	public static TokenTerms expiringAfter(Duration expiry) {
		return new TokenTerms(expiry, false);
	}

	/**
	 * Returns these terms for a reservation that is refunded if it is not settled in its
	 * time, as after a crash of its holder.
	 * @return the terms
	 */
	public TokenTerms refundingUnsettled() {
		return new TokenTerms(this.expiry, true);
	}

}
