package io.github.ratelimit.http;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policy;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitHeadersTests {

	private static final long NOW = 1_790_000_000_500_000L;

	private static final Decision ALLOWED = Decision.of(NOW,
			List.of(allowed("burst", "20/1s", 7, 600_000), allowed("daily", "5000/1d", 4120, 86_213_000_000L)));

	private static final Decision DENIED = Decision.of(NOW,
			List.of(denied("burst", "20/1s", 50_000), allowed("daily", "5000/1d", 0, 1)));

	@Test
	void writesNothingIfDisabled() {
		assertThat(RateLimitHeaders.NONE.of(DENIED)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void writesNothingForADecisionWithoutLimits(RateLimitHeaders headers) {
		assertThat(headers.of(Decision.of(NOW, List.of()))).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void areOfOneFamily(RateLimitHeaders headers) {
		assertThat(headers.of(ALLOWED).keySet()).allMatch(headers::isFamily);
		assertThat(headers.of(ALLOWED).keySet()).allMatch((name) -> headers.mayBeIn(name::equals));
		assertThat(headers.mayBeIn("Retry-After"::equals)).isEqualTo(headers == RateLimitHeaders.X_RATELIMIT);
		assertThat(headers.isFamily("x-ratelimit-reset")).isEqualTo(headers == RateLimitHeaders.X_RATELIMIT);
		assertThat(headers.isFamily("ratelimit-reset"))
			.isEqualTo(headers != RateLimitHeaders.X_RATELIMIT && headers != RateLimitHeaders.NONE);
		assertThat(headers.isFamily("Retry-After")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void leavesHiddenPoliciesOut(RateLimitHeaders headers) {
		LimitDecision shown = allowed("daily", "5000/1d", 4120, 86_213_000_000L);
		Decision some = Decision.of(NOW, List.of(hidden("flood"), shown, hidden("other")));
		assertThat(headers.of(some)).isEqualTo(headers.of(Decision.of(NOW, List.of(shown))));
		assertThat(RateLimitFields.violatedPolicies(some)).isEmpty();
		assertThat(RateLimitFields.retryAfter(some)).isEqualTo(2);
		assertThat(headers.of(Decision.of(NOW, List.of(hidden("flood"))))).isEmpty();
	}

	private static LimitDecision hidden(String policy) {
		return new LimitDecision(policy, "key", Limit.parse("5/1s", Algorithm.TOKEN_BUCKET), 0, 2_000_000, 1, 0, true);
	}

	@Test
	void resetsAtATimeOfTheStoreInXRateLimit() {
		assertThat(RateLimitHeaders.X_RATELIMIT.of(ALLOWED)).isEqualTo(
				Map.of("X-RateLimit-Limit", "20", "X-RateLimit-Remaining", "7", "X-RateLimit-Reset", "1790000002"));
		assertThat(RateLimitHeaders.X_RATELIMIT.of(DENIED)).isEqualTo(
				Map.of("X-RateLimit-Limit", "20", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1790000001"));
	}

	@Test
	void hasThreeFieldsInDraft6() {
		assertThat(RateLimitHeaders.DRAFT_6.of(ALLOWED)).isEqualTo(Map.of("RateLimit-Policy", "20;w=1, 5000;w=86400",
				"RateLimit-Limit", "20", "RateLimit-Remaining", "7", "RateLimit-Reset", "1"));
	}

	@Test
	void hasADictionaryInDraft7() {
		assertThat(RateLimitHeaders.DRAFT_7.of(DENIED)).isEqualTo(
				Map.of("RateLimit-Policy", "20;w=1, 5000;w=86400", "RateLimit", "limit=20, remaining=0, reset=1"));
	}

	@Test
	void namesEveryLimitInDraft11() {
		assertThat(RateLimitHeaders.DRAFT_11.of(ALLOWED))
			.isEqualTo(Map.of("RateLimit-Policy", "\"burst\";q=20;w=1, \"daily\";q=5000;w=86400", "RateLimit",
					"\"burst\";r=7;t=1, \"daily\";r=4120;t=86213"));
	}

	/** Checks that another implementation reads our fields and writes them unchanged. */
	@ParameterizedTest
	@EnumSource
	void isCanonicalToAnIndependentParser(RateLimitHeaders headers) {
		Random random = new Random(7);
		for (int i = 0; i < 1000; i++) {
			Map<String, String> fields = headers.of(randomDecision(random));
			assertThat(fields)
				.allSatisfy((name, value) -> assertThat(form(headers, name).apply(value)).isEqualTo(value));
		}
	}

	/** The draft's examples have spaces only where the grammar allows them. */
	@Test
	void meansWhatTheExamplesOfTheDraftMean() {
		Map<String, String> fields = RateLimitHeaders.DRAFT_11.of(ALLOWED);
		assertThat(Parser.parseList("\"burst\"; q=20; w=1,\"daily\";q=5000;w=86400").serialize())
			.isEqualTo(fields.get("RateLimit-Policy"));
		assertThat(Parser.parseList("\"burst\";r=7;t=1 ,  \"daily\"; r=4120; t=86213").serialize())
			.isEqualTo(fields.get("RateLimit"));
	}

	@Test
	void writesTheMembersThatTheDraftRequires() {
		for (ListElement<?> member : Parser.parseList(RateLimitFields.rateLimit(ALLOWED)).get()) {
			assertThat(member.get()).isInstanceOf(String.class);
			assertThat(member.getParams().keySet()).containsExactly("r", "t");
		}
		for (ListElement<?> member : Parser.parseList(RateLimitFields.rateLimitPolicy(ALLOWED)).get()) {
			assertThat(member.get()).isInstanceOf(String.class);
			assertThat(member.getParams().keySet()).containsExactly("q", "w");
		}
	}

	private static Function<String, String> form(RateLimitHeaders headers, String name) {
		if (name.equals("RateLimit-Policy") || headers == RateLimitHeaders.DRAFT_11) {
			return (value) -> Parser.parseList(value).serialize();
		}
		return name.equals("RateLimit") ? (value) -> Parser.parseDictionary(value).serialize()
				: (value) -> Parser.parseItem(value).serialize();
	}

	private static Decision randomDecision(Random random) {
		return Decision.of(NOW,
				IntStream.rangeClosed(0, random.nextInt(4))
					.mapToObj((i) -> new LimitDecision(policy(random), "key",
							limit(1 + random.nextInt(1_000_000) + "/" + (1 + random.nextInt(5000)) + "ms"),
							random.nextLong(Long.MAX_VALUE), random.nextBoolean() ? 0 : random.nextLong(Long.MAX_VALUE),
							random.nextLong(Long.MAX_VALUE), 0))
					.toList());
	}

	private static String policy(Random random) {
		String letters = "azAZ09._-";
		String name = random.ints(1 + random.nextInt(64), 0, letters.length())
			.mapToObj((index) -> letters.substring(index, index + 1))
			.reduce("", String::concat);
		return new Policy(name, List.of(limit("1/1s")), List.of(Policy.EVERYONE)).name();
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
