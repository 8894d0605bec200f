package io.github.ratelimit.http;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;

/**
 * The response fields that report a decision to a client, without the limits of hidden
 * policies. {@code RateLimit} and {@code RateLimit-Policy} follow
 * draft-ietf-httpapi-ratelimit-headers-11, in the canonical form of RFC 9651;
 * {@code Retry-After} is RFC 9110's, in seconds.
 */
public final class RateLimitFields {

	/** The field for what is left: {@code "quotes";r=7;t=12}. */
	public static final String RATE_LIMIT = "RateLimit";

	/** The field for what is allowed: {@code "quotes";q=100;w=60}. */
	public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";

	/** The field for when a denied call is worth repeating. */
	public static final String RETRY_AFTER = "Retry-After";

	/** The quota unit of limits on concurrency, which have no window. */
	private static final String CONCURRENT_REQUESTS = ";qu=\"concurrent-requests\"";

	/** The largest Integer of RFC 9651. */
	private static final long LARGEST = 999_999_999_999_999L;

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	/** The length of a usual field, which need not grow. */
	private static final int USUAL_LENGTH = 64;

	private RateLimitFields() {
	}

	/**
	 * Returns the {@code RateLimit} field: for each limit its name, the permits left
	 * {@code r}, and in {@code t} the seconds, rounded up, until the denied cost fits or
	 * else until nothing is spent.
	 * @param decision any decision
	 * @return the field's value
	 */
	public static String rateLimit(Decision decision) {
		StringBuilder field = new StringBuilder(USUAL_LENGTH);
		List<LimitDecision> limits = shown(decision);
		for (LimitDecision limit : limits) {
			begin(field, limit, limits).append(";r=")
				.append(integer(limit.remaining()))
				.append(";t=")
				.append(seconds(waitMicros(limit)));
		}
		return field.toString();
	}

	/**
	 * Returns the {@code RateLimit-Policy} field: for each limit its name, the quota
	 * {@code q} and the window {@code w} in seconds, omitted if it is no whole number of
	 * them; for a limit on concurrency, the quota and its unit {@code qu}.
	 * @param decision any decision
	 * @return the field's value
	 */
	public static String rateLimitPolicy(Decision decision) {
		StringBuilder field = new StringBuilder(USUAL_LENGTH);
		List<LimitDecision> limits = shown(decision);
		for (LimitDecision limit : limits) {
			begin(field, limit, limits).append(";q=")
				.append(integer(limit.limit().rate().permits()))
				.append(limit.limit().isConcurrency() ? CONCURRENT_REQUESTS : window(limit.limit()));
		}
		return field.toString();
	}

	/**
	 * Returns the {@code Retry-After} field of a denied call. A client that waits so long
	 * is admitted, unless others are charged meanwhile.
	 * @param decision a denied decision
	 * @return whole seconds, rounded up, at least 1
	 */
	public static long retryAfter(Decision decision) {
		return Math.max(1, seconds(decision.retryAfterMicros()));
	}

	/**
	 * Returns the names of the limits that had no room, as in {@code RateLimit}. Those of
	 * hidden policies are left out.
	 * @param decision any decision
	 * @return names in the decision's order
	 */
	public static List<String> violatedPolicies(Decision decision) {
		List<LimitDecision> limits = shown(decision);
		if (limits.size() == 1 && !limits.get(0).allowed()) {
			return List.of(name(limits.get(0), limits)); // as usual, without a stream
		}
		return limits.stream().filter((limit) -> !limit.allowed()).map((limit) -> name(limit, limits)).toList();
	}

	/**
	 * Returns the limits that clients are told of.
	 * @param decision any decision
	 * @return the limits of policies that are not hidden, in the decision's order
	 */
	public static List<LimitDecision> shown(Decision decision) {
		List<LimitDecision> limits = decision.limits();
		for (LimitDecision limit : limits) {
			if (limit.hidden()) {
				return limits.stream().filter((each) -> !each.hidden()).toList();
			}
		}
		return limits;
	}

	/** Begins an entry. A policy's name is safe in quotes, and so is a rate. */
	private static StringBuilder begin(StringBuilder field, LimitDecision limit, List<LimitDecision> all) {
		return field.append(field.isEmpty() ? "\"" : ", \"").append(name(limit, all)).append('"');
	}

	/**
	 * Returns the name of a limit among those of a decision, which differs from the
	 * others.
	 */
	private static String name(LimitDecision limit, List<LimitDecision> all) {
		if (all.size() == 1) {
			return limit.policy();
		}
		int ofPolicy = 0;
		int ofCharge = 0;
		for (LimitDecision other : all) {
			ofPolicy += other.policy().equals(limit.policy()) ? 1 : 0;
			ofCharge += other.isOf(limit.policy(), limit.key()) ? 1 : 0;
		}
		String name = (ofCharge == 1) ? limit.policy() : limit.policy() + ':' + limit.limit();
		long earlierKeys = (ofPolicy == ofCharge) ? 0 : earlierKeys(limit, all);
		return (earlierKeys == 0) ? name : name + ':' + (earlierKeys + 1);
	}

	/** Returns for how many other keys the call charged the policy first. */
	private static long earlierKeys(LimitDecision limit, List<LimitDecision> all) {
		return all.stream()
			.filter((other) -> other.policy().equals(limit.policy()))
			.map(LimitDecision::key)
			.distinct()
			.takeWhile((key) -> !key.equals(limit.key()))
			.count();
	}

	/**
	 * Returns the time until the denied cost fits, or else until nothing is spent; for a
	 * limit on concurrency, whose permits return when calls end, at most a second.
	 */
	static long waitMicros(LimitDecision limit) {
		if (!limit.allowed()) {
			return limit.tryAgainAfterMicros();
		}
		return limit.limit().isConcurrency() ? Math.min(limit.resetAfterMicros(), SECOND) : limit.resetAfterMicros();
	}

	/** Returns the window of a limit, if it has one of whole seconds. */
	static String window(Limit limit) {
		return limit.isConcurrency() ? "" : window(limit.rate());
	}

	private static String window(Rate rate) {
		long micros = rate.periodMicros();
		return (micros % SECOND == 0) ? ";w=" + micros / SECOND : "";
	}

	static long seconds(long micros) {
		return integer(micros / SECOND + ((micros % SECOND > 0) ? 1 : 0));
	}

	static long integer(long number) {
		return Math.min(number, LARGEST);
	}

}
