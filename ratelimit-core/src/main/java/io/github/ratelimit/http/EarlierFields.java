package io.github.ratelimit.http;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;

/**
 * The fields of conventions before draft 11. They have no names of policies, so they
 * report one limit: the one that takes longest to admit the call, or else has the least
 * left.
 */
final class EarlierFields {

	private static final String LIMIT = "RateLimit-Limit";

	private static final String REMAINING = "RateLimit-Remaining";

	private static final String RESET = "RateLimit-Reset";

	/** The fields of all drafts. */
	static final List<String> DRAFTS = List.of(RateLimitFields.RATE_LIMIT, RateLimitFields.RATE_LIMIT_POLICY, LIMIT,
			REMAINING, RESET);

	private static final Comparator<LimitDecision> LEAST_ROOM = Comparator
		.comparingLong(LimitDecision::retryAfterMicros)
		.reversed()
		.thenComparingLong(LimitDecision::remaining)
		.thenComparing(LimitDecision::resetAfterMicros, Comparator.reverseOrder());

	private EarlierFields() {
	}

	static void xRateLimit(Decision decision, BiConsumer<String, String> headers) {
		LimitDecision limit = leastRoom(decision);
		long reset = decision.storeTimeMicros() + RateLimitFields.waitMicros(limit);
		headers.accept("X-RateLimit-Limit", quota(limit));
		headers.accept("X-RateLimit-Remaining", remaining(limit));
		headers.accept("X-RateLimit-Reset", Long.toString(RateLimitFields.seconds(reset)));
	}

	static void draft6(Decision decision, BiConsumer<String, String> headers) {
		LimitDecision limit = leastRoom(decision);
		headers.accept(RateLimitFields.RATE_LIMIT_POLICY, policies(decision));
		headers.accept(LIMIT, quota(limit));
		headers.accept(REMAINING, remaining(limit));
		headers.accept(RESET, reset(limit));
	}

	static void draft7(Decision decision, BiConsumer<String, String> headers) {
		LimitDecision limit = leastRoom(decision);
		headers.accept(RateLimitFields.RATE_LIMIT_POLICY, policies(decision));
		headers.accept(RateLimitFields.RATE_LIMIT,
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
