package io.github.ratelimit.sample.live;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * A limited call as the live page draws it.
 *
 * @param policy the name of the policy
 * @param outcome the fate of the call
 * @param at the time by the store's clock, in microseconds since 1970
 * @param state the limit after the call; {@code null} if no limit decided
 */
record CallEvent(String policy, Fate outcome, long at, @Nullable State state) {

	static CallEvent of(String policy, Decision decision, boolean granted) {
		Fate outcome = granted ? Fate.GRANTED : decision.allowed() ? Fate.ALLOWED : Fate.DENIED;
		return decision.limits()
			.stream()
			.findFirst()
			.map((limit) -> new CallEvent(policy, outcome, decision.storeTimeMicros(), State.of(limit)))
			.orElseGet(() -> new CallEvent(policy, outcome, now(), null));
	}

	static CallEvent banned(String policy) {
		return new CallEvent(policy, Fate.BANNED, now(), null);
	}

	private static long now() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

	/**
	 * The fate of a call.
	 */
	enum Fate {

		ALLOWED, DENIED, GRANTED, BANNED

	}

	/**
	 * A limit and what is left of it.
	 *
	 * @param algorithm the algorithm's name
	 * @param permits permits per period
	 * @param period the period in microseconds
	 * @param burst the most permits that can be spent at once
	 * @param remaining the permits left, rounded down
	 * @param retryAfter microseconds until a denied call fits
	 * @param resetAfter microseconds until nothing is spent
	 */
	record State(String algorithm, long permits, long period, long burst, long remaining, long retryAfter,
			long resetAfter) {

		static State of(LimitDecision decision) {
			Limit limit = decision.limit();
			return new State(limit.algorithm().id(), limit.rate().permits(), limit.periodMicros(), limit.burst(),
					decision.remaining(), decision.retryAfterMicros(), decision.resetAfterMicros());
		}

	}

}
