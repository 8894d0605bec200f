package io.github.ratelimit.decision;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));

	private static final LimitDecision ADMITS = new LimitDecision("p", "key", LIMIT, 9, 0, 100_000, 0);

	private static final LimitDecision WAITS = new LimitDecision("p", "key", LIMIT, 0, 0, 1_300_000, 300_000);

	private static final LimitDecision WAITS_LESS = new LimitDecision("p", "key", LIMIT, 0, 0, 1_200_000, 200_000);

	private static final LimitDecision DENIES = new LimitDecision("p", "key", LIMIT, 0, 500_000, 1_000_000, 0);

	private static final LimitDecision DENIES_LESS = new LimitDecision("p", "key", LIMIT, 0, 400_000, 1_000_000, 0);

	@Test
	void admitsWhereEveryLimitDoes() {
		assertThat(Decision.of(7, List.of(ADMITS, WAITS)).allowed()).isTrue();
		assertThat(Decision.of(7, List.of(ADMITS, DENIES)).allowed()).isFalse();
		assertThat(Decision.UNLIMITED.allowed()).isTrue();
	}

	@Test
	void retriesAfterTheLongestOfItsLimits() {
		assertThat(Decision.of(7, List.of(ADMITS, WAITS)).retryAfterMicros()).isZero();
		assertThat(Decision.of(7, List.of(DENIES_LESS, DENIES, ADMITS)).retryAfterMicros()).isEqualTo(500_000);
	}

	@Test
	void waitsForTheLongestOfItsLimits() {
		assertThat(Decision.of(7, List.of(WAITS_LESS, WAITS, ADMITS)).waitMicros()).isEqualTo(300_000);
	}

	@Test
	void waitsForNothingWhereItIsDenied() {
		assertThat(Decision.of(7, List.of(WAITS, DENIES)).waitMicros()).isZero();
	}

	@Test
	void letsShadowsDecideNothing() {
		Decision decision = Decision.of(7, List.of(ADMITS), List.of(DENIES));
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.retryAfterMicros()).isZero();
		assertThat(decision.shadows()).containsExactly(DENIES);
	}

	@Test
	void isAValue() {
		Decision decision = Decision.of(7, List.of(DENIES));
		assertThat(Decision.of(7, List.of(DENIES), List.of())).isEqualTo(decision)
			.hasSameHashCodeAs(decision)
			.hasToString("Decision[storeTimeMicros=7, limits=[" + DENIES + "], shadows=[]]");
	}

	@Test
	void differsByItsTimeItsLimitsAndItsShadows() {
		Decision decision = Decision.of(7, List.of(DENIES));
		assertThat(decision).isNotEqualTo(Decision.of(8, List.of(DENIES)))
			.isNotEqualTo(Decision.of(7, List.of(DENIES_LESS)))
			.isNotEqualTo(Decision.of(7, List.of(DENIES), List.of(ADMITS)))
			.doesNotHaveSameHashCodeAs(Decision.of(8, List.of(DENIES)));
	}

}
