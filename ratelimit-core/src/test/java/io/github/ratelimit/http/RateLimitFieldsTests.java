package io.github.ratelimit.http;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitFieldsTests {

	private static final Limit CONCURRENT = Limit.parse("5 concurrent", Algorithm.TOKEN_BUCKET);

	@Test
	void reportsWhatIsLeftAndWhenItIsReset() {
		Decision decision = decision(allowed("quotes", "100/1m", 7, 11_000_001));
		assertThat(RateLimitFields.rateLimit(decision)).isEqualTo("\"quotes\";r=7;t=12");
		assertThat(RateLimitFields.rateLimitPolicy(decision)).isEqualTo("\"quotes\";q=100;w=60");
	}

	@Test
	void reportsWhenADeniedCallFits() {
		Decision decision = decision(denied("quotes", "100/1m", 600_000));
		assertThat(RateLimitFields.rateLimit(decision)).isEqualTo("\"quotes\";r=0;t=1");
		assertThat(RateLimitFields.violatedPolicies(decision)).containsExactly("quotes");
	}

	@Test
	void namesTheLimitsOfAPolicyByTheirRates() {
		Decision decision = decision(denied("login", "5/1m", 12_000_000), allowed("login", "20/1h", 14, 1_080_000_000));
		assertThat(RateLimitFields.rateLimit(decision))
			.isEqualTo("\"login:5/1m\";r=0;t=12, \"login:20/1h\";r=14;t=1080");
		assertThat(RateLimitFields.rateLimitPolicy(decision))
			.isEqualTo("\"login:5/1m\";q=5;w=60, \"login:20/1h\";q=20;w=3600");
		assertThat(RateLimitFields.violatedPolicies(decision)).containsExactly("login:5/1m");
	}

	@Test
	void leavesOutAWindowThatIsNoWholeNumberOfSeconds() {
		assertThat(RateLimitFields.rateLimitPolicy(decision(allowed("p", "5/1500ms", 1, 1)))).isEqualTo("\"p\";q=5");
	}

	@Test
	void staysWithinTheIntegersOfStructuredFields() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, new Rate(32 * 31_622_400_000_000L, Duration.ofDays(366)));
		Decision decision = decision(new LimitDecision("p", "key", limit, Long.MAX_VALUE, 0, Long.MAX_VALUE, 0));
		assertThat(RateLimitFields.rateLimit(decision)).isEqualTo("\"p\";r=999999999999999;t=9223372036855");
		assertThat(RateLimitFields.rateLimitPolicy(decision)).isEqualTo("\"p\";q=999999999999999;w=31622400");
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "999999, 1", "1000000, 1", "1000001, 2", "59000001, 60" })
	void waitsWholeSecondsRoundedUpAndNeverNone(long micros, long seconds) {
		assertThat(RateLimitFields.retryAfter(decision(denied("p", "5/1m", micros)))).isEqualTo(seconds);
	}

	@Test
	void waitsForTheLastLimitToHaveRoom() {
		Decision decision = decision(denied("p", "5/1m", 12_000_000), denied("q", "20/1h", 180_000_000));
		assertThat(RateLimitFields.retryAfter(decision)).isEqualTo(180);
	}

	@Test
	void reportsAQuotaOfConcurrentRequestsWithoutAWindow() {
		LimitDecision concurrent = new LimitDecision("api", "key", CONCURRENT, 3, 0, 29_000_000, 0);
		assertThat(RateLimitFields.rateLimitPolicy(decision(concurrent)))
			.isEqualTo("\"api\";q=5;qu=\"concurrent-requests\"");
		assertThat(RateLimitFields.rateLimit(decision(concurrent))).isEqualTo("\"api\";r=3;t=1");
		assertThat(RateLimitFields.rateLimitPolicy(decision(allowed("api", "100/1m", 1, 1), concurrent)))
			.isEqualTo("\"api:100/1m\";q=100;w=60, \"api:5 concurrent\";q=5;qu=\"concurrent-requests\"");
		assertThat(RateLimitHeaders.DRAFT_7.of(decision(concurrent))).containsEntry("RateLimit-Policy", "5");
	}

	@Test
	void numbersTheKeysOfAPolicyFromTheSecondOn() {
		Decision decision = decision(new LimitDecision("api", "a", limit("5/1m"), 4, 0, 12_000_000, 0),
				new LimitDecision("api", "b", limit("5/1m"), 0, 12_000_000, 60_000_000, 0));
		assertThat(RateLimitFields.rateLimit(decision)).isEqualTo("\"api\";r=4;t=12, \"api:2\";r=0;t=12");
		assertThat(RateLimitFields.rateLimitPolicy(decision)).isEqualTo("\"api\";q=5;w=60, \"api:2\";q=5;w=60");
		assertThat(RateLimitFields.violatedPolicies(decision)).containsExactly("api:2");
	}

	/** No one knows when a call ends. */
	@ParameterizedTest
	@CsvSource({ "29000000, 1000000", "1000001, 1000000", "400000, 400000" })
	void waitsASecondForAPermitThatReturnsWhenACallEndsUnlessItsLeaseEndsEarlier(long micros, long worth) {
		Decision denied = decision(new LimitDecision("api", "key", CONCURRENT, 0, micros, micros, 0));
		assertThat(denied.retryAfterMicros()).isEqualTo(worth);
		assertThat(RateLimitFields.retryAfter(denied)).isEqualTo(1);
		assertThat(RateLimitFields.rateLimit(denied)).isEqualTo("\"api\";r=0;t=1");
		Decision both = decision(new LimitDecision("api", "key", CONCURRENT, 0, micros, micros, 0),
				denied("p", "5/1m", 12_000_000));
		assertThat(RateLimitFields.retryAfter(both)).isEqualTo(12);
	}

	private static Decision decision(LimitDecision... limits) {
		return Decision.of(0, List.of(limits));
	}

	private static LimitDecision allowed(String policy, String rate, long remaining, long resetAfter) {
		return new LimitDecision(policy, "key", limit(rate), remaining, 0, resetAfter, 0);
	}

	private static LimitDecision denied(String policy, String rate, long retryAfter) {
		return new LimitDecision(policy, "key", limit(rate), 0, retryAfter, retryAfter + 7, 0);
	}

	private static Limit limit(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate));
	}

}
