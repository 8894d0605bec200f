package io.github.ratelimit.decision;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LongFormula;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of decisions on a single request, as if it were one of several.
 */
class SingleDecisionTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));

	private static final PolicyLimit LIMITED = new PolicyLimit("p", "p", 0, LIMIT, 2);

	private static final PermitRequest PATIENT = new PermitRequest(LIMITED, "a", 1, 300_000);

	private static final PermitRequest SHADOW = new PermitRequest(LIMITED.inShadow(), "a", 1, 300_000);

	@Test
	void admitsWithoutAWait() {
		assertThat(Decision.of(7, PATIENT, 0, 9, 100_000)).returns(true, Decision::allowed)
			.returns(7L, Decision::storeTimeMicros)
			.returns(0L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(), Decision::shadows)
			.returns(List.of(new LimitDecision("p", "a", LIMIT, 7, 0, 100_000, 0)), Decision::limits);
	}

	@Test
	void admitsAfterAWaitThatIsNoLongerThanItsPatience() {
		assertThat(Decision.of(7, PATIENT, 300_000, 0, 1_300_000)).returns(true, Decision::allowed)
			.returns(300_000L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(new LimitDecision("p", "a", LIMIT, 0, 0, 1_300_000, 300_000)), Decision::limits);
	}

	@Test
	void deniesUntilTheWaitIsNoLongerThanItsPatience() {
		assertThat(Decision.of(7, PATIENT, 300_001, 0, 1_300_000)).returns(false, Decision::allowed)
			.returns(0L, Decision::waitMicros)
			.returns(1L, Decision::retryAfterMicros)
			.returns(List.of(new LimitDecision("p", "a", LIMIT, 0, 1, 1_300_000, 0)), Decision::limits);
	}

	@Test
	void decidesNothingInShadow() {
		assertThat(Decision.of(7, SHADOW, 300_001, 0, 1_300_000)).returns(true, Decision::allowed)
			.returns(0L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(), Decision::limits)
			.returns(List.of(new LimitDecision("p", "a", LIMIT, 0, 1, 1_300_000, 0)), Decision::shadows);
		assertThat(Decision.of(7, SHADOW, 300_000, 0, 1_300_000).waitMicros()).isZero();
	}

	@Test
	void computesWhatIsLeftByANumber() {
		LongFormula formula = Objects.requireNonNull(LIMIT.longFormula());
		long time = 5_000_000;
		long unspent = formula.pack(LIMIT.formula().stateOf(0, time), 0);
		long spent = formula.charge(unspent, time, 3, 0);
		assertThat(Decision.ofNumber(time, PATIENT, 0, spent, time))
			.isEqualTo(Decision.of(time, PATIENT, 0, 7, 300_000));
		assertThat(Decision.ofNumber(time, SHADOW, 0, spent, time)).isEqualTo(Decision.of(time, SHADOW, 0, 7, 300_000));
		assertThat(Decision.ofNumber(time, PATIENT, 300_001, spent, time).allowed()).isFalse();
	}

	@Test
	void equalsADecisionOfTheSameLimits() {
		for (PermitRequest permit : List.of(PATIENT, SHADOW)) {
			LimitDecision limit = permit.decide(300_001, 3, 1_300_000);
			Decision decision = StoreRequest.of(StoreOperation.ACQUIRE, permit).decide(7, List.of(limit));
			assertThat(Decision.of(7, permit, 300_001, 3, 1_300_000)).isEqualTo(decision)
				.hasSameHashCodeAs(decision)
				.hasToString(decision.toString());
			assertThat(decision).isEqualTo(Decision.of(7, permit, 300_001, 3, 1_300_000))
				.isNotEqualTo(Decision.of(7, permit, 300_002, 3, 1_300_000));
		}
	}

}
