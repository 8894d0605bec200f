package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestChargesTests {

	private static final Charge RULE = Charge.of("rule", "k");

	private static final Charge METHOD = Charge.of("method", "k");

	private final List<Decision> answers = new ArrayList<>();

	private final RequestCharges request = new RequestCharges(this.answers::add);

	@Test
	void givesWhatWasDeferredToOneDecisionOnly() {
		this.request.defer(List.of(RULE));
		assertThat(this.request.deferredAnd(List.of(METHOD))).containsExactly(RULE, METHOD);
		assertThat(this.request.deferredAnd(List.of(METHOD))).containsExactly(METHOD);
	}

	@Test
	void letsAStepBeTakenOnceForEachTimeItIsAdmitted() {
		assertThat(this.request.take("step")).isFalse();
		this.request.admit("step");
		assertThat(this.request.take("step")).isTrue();
		assertThat(this.request.take("step")).isFalse();
		assertThat(this.request.isAdmittedAgain("step")).isTrue();
		assertThat(this.request.take("step")).isTrue();
		assertThat(this.request.isAdmittedAgain("other")).isFalse();
		assertThat(this.request.take("other")).isFalse();
	}

	@Test
	void tellsOfAllDecisionsAndTheLatestOfEachLimit() {
		this.request.decided(decision(1, limit("a", 9), limit("b", 5)));
		this.request.decided(decision(2, limit("a", 8), limit("c", 1)));
		Decision all = decision(2, limit("b", 5), limit("a", 8), limit("c", 1));
		assertThat(this.answers).containsExactly(decision(1, limit("a", 9), limit("b", 5)), all);
		assertThat(this.request.decision()).isEqualTo(all);
	}

	private static Decision decision(long time, LimitDecision... limits) {
		return Decision.of(time, List.of(limits));
	}

	private static LimitDecision limit(String policy, long remaining) {
		return new LimitDecision(policy, Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s")), remaining, 0, 7);
	}

}
