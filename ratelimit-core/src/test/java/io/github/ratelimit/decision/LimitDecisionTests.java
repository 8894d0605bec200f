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
