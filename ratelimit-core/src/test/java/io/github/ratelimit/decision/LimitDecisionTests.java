package io.github.ratelimit.decision;

import java.lang.reflect.RecordComponent;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LimitDecisionTests {

	private static final LimitDecision DECISION = new LimitDecision("p", "key",
			Limit.parse("10/1s", Algorithm.TOKEN_BUCKET), 1, 2, 3, 4, true);

	@Test
	void keepsAllButTheRemainingPermits() throws ReflectiveOperationException {
		assertThat(DECISION.withRemaining(7).remaining()).isEqualTo(7);
		assertThat(changed(DECISION.withRemaining(7))).containsExactly("remaining");
	}

	@Test
	void keepsAllButTheTimesUntilTheCostFits() throws ReflectiveOperationException {
		assertThat(DECISION.withRetryAfter(7).retryAfterMicros()).isEqualTo(7);
		assertThat(DECISION.withRetryAfter(7).waitMicros()).isZero();
		assertThat(changed(DECISION.withRetryAfter(7))).containsExactly("retryAfterMicros", "waitMicros");
	}

	@Test
	void isUsedByAPartFromTheFirstPermitThatReachesIt() {
		for (int burst = 2; burst <= 1000; burst++) {
			for (int percent = 1; percent <= 100; percent++) {
				int least = -Math.floorDiv(-burst * percent, 100);
				assertThat(used(least, burst).isUsed(percent)).as("%d%% of %d", percent, burst).isTrue();
				assertThat(used(least - 1, burst).isUsed(percent)).as("%d%% of %d", percent, burst).isFalse();
			}
		}
	}

	@Test
	void isUsedByAPartOfTheLargestBurst() {
		long burst = Long.MAX_VALUE / 1_000_000;
		assertThat(used(burst / 2, burst).isUsed(51)).isFalse();
		assertThat(used(burst, burst).isUsed(100)).isTrue();
	}

	private static LimitDecision used(long permits, long burst) {
		Limit limit = Limit.parse(burst + "/1h", Algorithm.FIXED_WINDOW);
		return new LimitDecision("p", "key", limit, burst - permits, 0, 0, 0);
	}

	private static Set<String> changed(LimitDecision copy) throws ReflectiveOperationException {
		Set<String> changed = new TreeSet<>();
		for (RecordComponent component : LimitDecision.class.getRecordComponents()) {
			if (!component.getAccessor().invoke(copy).equals(component.getAccessor().invoke(DECISION))) {
				changed.add(component.getName());
			}
		}
		return changed;
	}

}
