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
 * Tests of decisions on several requests that are kept as numbers.
 */
class SeveralDecisionsTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));

	private static final PolicyLimit LIMITED = new PolicyLimit("p", "p", 0, LIMIT, 2);

	private static final PermitRequest IMPATIENT = new PermitRequest(LIMITED, "a", 1, 0);

	private static final PermitRequest PATIENT = new PermitRequest(LIMITED, "b", 1, 300_000);

	private static final PermitRequest SHADOW = new PermitRequest(LIMITED.inShadow(), "a", 1, 0);

	private static final List<PermitRequest> PERMITS = List.of(IMPATIENT, PATIENT, SHADOW);

	@Test
	void equalsADecisionOfTheDecisionsOfItsLimits() {
		for (long[] waits : new long[][] { { 0, 0, 0 }, { 0, 300_000, 0 }, { 0, 200_000, 500_000 }, { 1, 0, 0 },
				{ 7, 300_001, 0 } }) {
			Decision decision = DecisionOfSeveral.of(7, PERMITS,
					new long[] { waits[0], 3, 700_000, waits[1], 4, 600_000, waits[2], 5, 500_000 });
			Decision expected = new StoreRequest(StoreOperation.ACQUIRE, PERMITS).decide(7,
					List.of(IMPATIENT.decide(waits[0], 3, 700_000), PATIENT.decide(waits[1], 4, 600_000),
							SHADOW.decide(waits[2], 5, 500_000)));
			assertThat(decision).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
			assertThat(decision).returns(expected.allowed(), Decision::allowed)
				.returns(expected.waitMicros(), Decision::waitMicros)
				.returns(expected.retryAfterMicros(), Decision::retryAfterMicros);
		}
	}

	@Test
	void computesWhatIsLeftByNumbers() {
		LongFormula formula = Objects.requireNonNull(LIMIT.longFormula());
		long time = 5_000_000;
		long spent = formula.charge(formula.pack(LIMIT.formula().stateOf(0, time), 0), time, 3, 0);
		assertThat(DecisionOfSeveral.ofNumbers(time, PERMITS,
				new long[] { 0, spent, time, 300_000, spent, time, 0, spent, time }))
			.isEqualTo(DecisionOfSeveral.of(time, PERMITS,
					new long[] { 0, 7, 300_000, 300_000, 7, 300_000, 0, 7, 300_000 }));
	}

}
