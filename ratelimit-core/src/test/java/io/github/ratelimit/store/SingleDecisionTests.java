package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is decided on a single debit, as if it were one of several.
 */
class SingleDecisionTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));

	private static final Clause CLAUSE = new Clause("p", "p", 0, LIMIT, 2);

	private static final Debit PATIENT = new Debit(CLAUSE, "a", 1, 300_000);

	private static final Debit SHADOW = Debit.inShadow(CLAUSE, "a", 1, 300_000);

	@Test
	void admitsWithoutAWait() {
		assertThat(PATIENT.decisionAlone(7, 0, 9, 100_000)).returns(true, Decision::allowed)
			.returns(7L, Decision::storeTimeMicros)
			.returns(0L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(), Decision::shadows)
			.returns(List.of(new LimitDecision("p", LIMIT, 7, 0, 100_000)), Decision::limits);
	}

	@Test
	void admitsAfterAWaitThatIsNoLongerThanItsPatience() {
		assertThat(PATIENT.decisionAlone(7, 300_000, 0, 1_300_000)).returns(true, Decision::allowed)
			.returns(300_000L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(new LimitDecision("p", LIMIT, 0, 0, 1_300_000, 300_000)), Decision::limits);
	}

	@Test
	void deniesUntilTheWaitIsNoLongerThanItsPatience() {
		assertThat(PATIENT.decisionAlone(7, 300_001, 0, 1_300_000)).returns(false, Decision::allowed)
			.returns(0L, Decision::waitMicros)
			.returns(1L, Decision::retryAfterMicros)
			.returns(List.of(new LimitDecision("p", LIMIT, 0, 1, 1_300_000)), Decision::limits);
	}

	@Test
	void decidesNothingInShadow() {
		assertThat(SHADOW.decisionAlone(7, 300_001, 0, 1_300_000)).returns(true, Decision::allowed)
			.returns(0L, Decision::waitMicros)
			.returns(0L, Decision::retryAfterMicros)
			.returns(List.of(), Decision::limits)
			.returns(List.of(new LimitDecision("p", LIMIT, 0, 1, 1_300_000)), Decision::shadows);
		assertThat(SHADOW.decisionAlone(7, 300_000, 0, 1_300_000).waitMicros()).isZero();
	}

	@Test
	void equalsADecisionThatHoldsTheSame() {
		for (Debit debit : List.of(PATIENT, SHADOW)) {
			LimitDecision limit = debit.decision(300_001, 3, 1_300_000);
			Decision decision = Debit.decision(7, List.of(debit), List.of(limit));
			assertThat(debit.decisionAlone(7, 300_001, 3, 1_300_000)).isEqualTo(decision)
				.hasSameHashCodeAs(decision)
				.hasToString(decision.toString());
			assertThat(decision).isEqualTo(debit.decisionAlone(7, 300_001, 3, 1_300_000))
				.isNotEqualTo(debit.decisionAlone(7, 300_002, 3, 1_300_000));
		}
	}

}
