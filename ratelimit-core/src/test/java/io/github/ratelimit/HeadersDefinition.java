package io.github.ratelimit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.http.RateLimitHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slow definition of the headers that report a decision of limits that are not on
 * concurrency.
 */
final class HeadersDefinition {

	private static final BigInteger SECOND = BigInteger.valueOf(1_000_000);

	private final List<LimitDecision> shown;

	private final Decision decision;

	HeadersDefinition(Decision decision) {
		this.decision = decision;
		this.shown = decision.limits().stream().filter((limit) -> !limit.hidden()).toList();
	}

	Map<String, String> of(RateLimitHeaders dialect) {
		Map<String, String> headers = new TreeMap<>();
		if (this.shown.isEmpty() || dialect == RateLimitHeaders.NONE) {
			return headers;
		}
		LimitDecision least = leastRoom();
		String limit = Long.toString(least.limit().rate().permits());
		String remaining = Long.toString(least.remaining());
		String reset = seconds(shownTime(least));
		switch (dialect) {
			case X_RATELIMIT -> headers.putAll(Map.of("X-RateLimit-Limit", limit, "X-RateLimit-Remaining", remaining,
					"X-RateLimit-Reset", seconds(this.decision.storeTimeMicros() + shownTime(least))));
			case DRAFT_6 -> headers.putAll(Map.of("RateLimit-Policy", quotas(), "RateLimit-Limit", limit,
					"RateLimit-Remaining", remaining, "RateLimit-Reset", reset));
			case DRAFT_7 -> headers.putAll(Map.of("RateLimit-Policy", quotas(), "RateLimit",
					"limit=" + limit + ", remaining=" + remaining + ", reset=" + reset));
			default -> headers.putAll(Map.of("RateLimit-Policy", entries(false), "RateLimit", entries(true)));
		}
		return headers;
	}

	/** Returns the seconds until the call fits, rounded up, and at least one. */
	long retryAfter() {
		long longest = this.decision.limits().stream().mapToLong(LimitDecision::retryAfterMicros).max().orElse(0);
		return Math.max(1, Long.parseLong(seconds(longest)));
	}

	List<String> violated() {
		List<String> names = names();
		List<String> violated = new ArrayList<>();
		for (int i = 0; i < names.size(); i++) {
			if (this.shown.get(i).retryAfterMicros() > 0) {
				violated.add(names.get(i));
			}
		}
		return violated;
	}

	/** Returns the limit that denies for longest, or has least left for longest. */
	private LimitDecision leastRoom() {
		LimitDecision least = this.shown.get(0);
		for (LimitDecision limit : this.shown) {
			long later = limit.retryAfterMicros() - least.retryAfterMicros();
			long more = limit.remaining() - least.remaining();
			long longer = limit.resetAfterMicros() - least.resetAfterMicros();
			if (later > 0 || (later == 0 && (more < 0 || (more == 0 && longer > 0)))) {
				least = limit;
			}
		}
		return least;
	}

	private String entries(boolean isState) {
		List<String> names = names();
		List<String> entries = new ArrayList<>();
		for (int i = 0; i < names.size(); i++) {
			LimitDecision limit = this.shown.get(i);
			String state = ";r=" + limit.remaining() + ";t=" + seconds(shownTime(limit));
			String quota = ";q=" + limit.limit().rate().permits() + window(limit);
			entries.add('"' + names.get(i) + '"' + (isState ? state : quota));
		}
		return String.join(", ", entries);
	}

	private String quotas() {
		return String.join(", ",
				this.shown.stream().map((limit) -> limit.limit().rate().permits() + window(limit)).toList());
	}

	/**
	 * Returns the name of the policy, with the limit if it has several, and the number of
	 * the key if it was charged for several and this is not the first.
	 */
	private List<String> names() {
		List<String> names = new ArrayList<>();
		for (LimitDecision limit : this.shown) {
			List<LimitDecision> ofPolicy = this.shown.stream()
				.filter((other) -> other.policy().equals(limit.policy()))
				.toList();
			Set<String> keys = new LinkedHashSet<>(ofPolicy.stream().map(LimitDecision::key).toList());
			boolean hasSeveral = ofPolicy.stream().filter((other) -> other.key().equals(limit.key())).count() > 1;
			int number = List.copyOf(keys).indexOf(limit.key()) + 1;
			names.add(limit.policy() + (hasSeveral ? ":" + limit.limit() : "") + ((number > 1) ? ":" + number : ""));
		}
		return names;
	}

	private static long shownTime(LimitDecision limit) {
		return (limit.retryAfterMicros() > 0) ? limit.retryAfterMicros() : limit.resetAfterMicros();
	}

	private static String window(LimitDecision limit) {
		BigInteger[] seconds = BigInteger.valueOf(limit.limit().periodMicros()).divideAndRemainder(SECOND);
		return (seconds[1].signum() == 0) ? ";w=" + seconds[0] : "";
	}

	private static String seconds(long micros) {
		return BigInteger.valueOf(micros).add(SECOND).subtract(BigInteger.ONE).divide(SECOND).toString();
	}

	/** Compares the headers of a decision with these. */
	void compare(Decision decision, Supplier<String> description) {
		for (RateLimitHeaders dialect : RateLimitHeaders.values()) {
			assertThat(new TreeMap<>(dialect.of(decision))).as(description).isEqualTo(of(dialect));
		}
		assertThat(RateLimitFields.violatedPolicies(decision)).as(description).isEqualTo(violated());
		if (!decision.allowed()) {
			assertThat(RateLimitFields.retryAfter(decision)).as(description).isEqualTo(retryAfter());
		}
	}

}
