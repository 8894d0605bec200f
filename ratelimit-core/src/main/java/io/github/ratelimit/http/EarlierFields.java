package io.github.ratelimit.http;

import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;

/**
 * The fields of conventions before draft 11. They have no names of policies, so they
 * report one limit: the one that takes longest to admit the call, or else has the least
 * left.
 */
final class EarlierFields {

	private static final Comparator<LimitDecision> LEAST_ROOM = Comparator
		.comparingLong(LimitDecision::retryAfterMicros)
		.reversed()
		.thenComparingLong(LimitDecision::remaining)
		.thenComparing(LimitDecision::resetAfterMicros, Comparator.reverseOrder());

	private EarlierFields() {
	}

	static Map<String, String> xRateLimit(Decision decision) {
		LimitDecision limit = leastRoom(decision);
		long reset = decision.storeTimeMicros() + RateLimitFields.waitMicros(limit);
		return Map.of("X-RateLimit-Limit", quota(limit), "X-RateLimit-Remaining", remaining(limit), "X-RateLimit-Reset",
				Long.toString(RateLimitFields.seconds(reset)));
	}

	static Map<String, String> draft6(Decision decision) {
		LimitDecision limit = leastRoom(decision);
		return Map.of(RateLimitFields.RATE_LIMIT_POLICY, policies(decision), "RateLimit-Limit", quota(limit),
				"RateLimit-Remaining", remaining(limit), "RateLimit-Reset", reset(limit));
	}

	static Map<String, String> draft7(Decision decision) {
		LimitDecision limit = leastRoom(decision);
		return Map.of(RateLimitFields.RATE_LIMIT_POLICY, policies(decision), RateLimitFields.RATE_LIMIT,
				"limit=" + quota(limit) + ", remaining=" + remaining(limit) + ", reset=" + reset(limit));
	}

	private static String policies(Decision decision) {
		return RateLimitFields.shown(decision)
			.stream()
			.map((limit) -> quota(limit) + RateLimitFields.window(limit.limit()))
			.collect(Collectors.joining(", "));
	}

	private static LimitDecision leastRoom(Decision decision) {
		return RateLimitFields.shown(decision).stream().min(LEAST_ROOM).orElseThrow();
	}

	private static String quota(LimitDecision limit) {
		return Long.toString(RateLimitFields.integer(limit.limit().rate().permits()));
	}

	private static String remaining(LimitDecision limit) {
		return Long.toString(RateLimitFields.integer(limit.remaining()));
	}

	private static String reset(LimitDecision limit) {
		return Long.toString(RateLimitFields.seconds(RateLimitFields.waitMicros(limit)));
	}

}
