package io.github.ratelimit.spring.login;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;

/**
 * The room that is left for a password that may be wrong.
 */
enum Room {

	/** All passwords that are being checked may be wrong, this one too. */
	FREE,

	/** Other passwords are being checked, which take all permits if they are wrong. */
	BUSY,

	/** Wrong passwords have spent a limit. */
	SPENT;

	/** The most passwords of one key that are checked at a time. */
	static final long MOST_CHECKS = 1000;

	/**
	 * Returns the room of a login.
	 * @param charges the charges if its password is wrong
	 * @param checks the decision on the checks of the same keys, this one included
	 * @param left the permits that were left for the charges after that
	 */
	static Room of(List<Charge> charges, Decision checks, Decision left) {
		Room room = checks.allowed() ? FREE : BUSY;
		for (Charge charge : charges) {
			long permits = remaining(left, charge);
			if (permits == 0) {
				return SPENT;
			}
			if (MOST_CHECKS - remaining(checks, charge) > permits) {
				room = BUSY;
			}
		}
		return room;
	}

	private static long remaining(Decision decision, Charge charge) {
		return decision.limits()
			.stream()
			.filter((limit) -> limit.isOf(charge.policy(), charge.key()))
			.mapToLong(LimitDecision::remaining)
			.min()
			.orElse(Long.MAX_VALUE);
	}

}
