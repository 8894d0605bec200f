package io.github.ratelimit.spring.metrics;

import java.util.Locale;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of a charge, from the best to the worst.
 */
enum ChargeOutcome {

	SKIPPED, ALLOWED, NEAR_LIMIT, FALLBACK_ALLOWED, SHADOW_DENIED, FAILED_OPEN, NOT_CHARGED, DENIED, FALLBACK_DENIED,
	FAILED_CLOSED, UNSATISFIABLE, INVALID_COST, MISSING_KEY, BLOCKED, BANNED;

	private final String tag = name().toLowerCase(Locale.ROOT);

	String tag() {
		return this.tag;
	}

	/**
	 * Returns whether counters of this outcome exist before the first such call, as
	 * alerts and the dashboard look for its increase.
	 * @param mayBeNear whether calls may be near a limit
	 */
	boolean isWatched(boolean mayBeNear) {
		return switch (this) {
			case SKIPPED, NOT_CHARGED, UNSATISFIABLE, INVALID_COST -> false;
			case NEAR_LIMIT -> mayBeNear;
			default -> true;
		};
	}

	/** Returns whether a call with this outcome of a charge does not proceed. */
	boolean rejects() {
		return compareTo(NOT_CHARGED) >= 0;
	}

	/** Returns whether the policy did more than to admit a call, or nothing. */
	boolean isNotable() {
		return this != SKIPPED && this != ALLOWED && this != NEAR_LIMIT && this != FALLBACK_ALLOWED;
	}

	static ChargeOutcome of(Charge charge, Decision decision) {
		return of(charge, decision, ALLOWED, DENIED);
	}

	/**
	 * Returns the outcome if the store failed.
	 * @param instead the local decision, {@code null} if the call fails
	 */
	static ChargeOutcome withoutStore(Charge charge, @Nullable Decision instead) {
		if (instead == null) {
			return FAILED_CLOSED;
		}
		boolean counted = Stream.concat(instead.limits().stream(), instead.shadows().stream())
			.anyMatch((limit) -> limit.isOf(charge.policy(), charge.key()));
		return of(charge, instead, counted ? FALLBACK_ALLOWED : FAILED_OPEN, FALLBACK_DENIED);
	}

	static ChargeOutcome of(Charge charge, UnsatisfiableCostException mistake) {
		return charge.policy().equals(mistake.getPolicy()) ? UNSATISFIABLE : NOT_CHARGED;
	}

	static ChargeOutcome of(RefusedCallerException refusal) {
		return (refusal instanceof BlockedCallerException blocked) ? (blocked.isBanned() ? BANNED : BLOCKED)
				: MISSING_KEY;
	}

	private static ChargeOutcome of(Charge charge, Decision decision, ChargeOutcome allowed, ChargeOutcome denied) {
		if (decision.allowed()) {
			return decision.isShadowDeniedBy(charge.policy(), charge.key()) ? SHADOW_DENIED : allowed;
		}
		return decision.isDeniedBy(charge.policy(), charge.key()) ? denied : NOT_CHARGED;
	}

}
