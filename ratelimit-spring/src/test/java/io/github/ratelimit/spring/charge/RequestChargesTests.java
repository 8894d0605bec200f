package io.github.ratelimit.spring.charge;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestChargesTests {

	private static final Charge RULE = Charge.of("rule", "k");

	private static final Charge METHOD = Charge.of("method", "k");

	private final List<Decision> merged = new ArrayList<>();

	private final RequestCharges request = new RequestCharges(this.merged::add);

	@Test
	void addsDeferredChargesToOneDecisionOnly() {
		this.request.defer(CallCharges.of(List.of(RULE)));
		CallCharges method = CallCharges.of(List.of(METHOD));
		assertThat(this.request.withDeferred(() -> method).charges()).containsExactly(RULE, METHOD);
		assertThat(this.request.withDeferred(() -> method).charges()).containsExactly(METHOD);
	}

	@Test
	void forgetsDeferredChargesOfARefusedCaller() {
		this.request.defer(CallCharges.of(List.of(RULE)));
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> this.request.withDeferred(() -> {
			throw new BlockedCallerException("method");
		}));
		assertThat(this.request.removeDeferred().isEmpty()).isTrue();
	}

	@Test
	void keepsDeferredChargesOfACallThatFails() {
		this.request.defer(CallCharges.of(List.of(RULE)));
		assertThatIllegalStateException().isThrownBy(() -> this.request.withDeferred(() -> {
			throw new IllegalStateException();
		}));
		assertThat(this.request.removeDeferred().charges()).extracting(Charge::policy).containsExactly("rule");
	}

	@Test
	void consumesEachAdmissionOfAStepOnce() {
		assertThat(this.request.tryConsumeAdmission("step")).isFalse();
		this.request.admit("step");
		assertThat(this.request.tryConsumeAdmission("step")).isTrue();
		assertThat(this.request.tryConsumeAdmission("step")).isFalse();
		assertThat(this.request.tryReadmit("step")).isTrue();
		assertThat(this.request.tryConsumeAdmission("step")).isTrue();
		assertThat(this.request.tryReadmit("other")).isFalse();
		assertThat(this.request.tryConsumeAdmission("other")).isFalse();
	}

	@Test
	void reportsAllDecisionsAndTheLatestOfEachLimit() {
		this.request.addDecision(decision(1, limit("a", 9), limit("b", 5)));
		this.request.addDecision(decision(2, limit("a", 8), limit("c", 1)));
		Decision all = decision(2, limit("b", 5), limit("a", 8), limit("c", 1));
		assertThat(this.merged).containsExactly(decision(1, limit("a", 9), limit("b", 5)), all);
		assertThat(this.request.decision()).isEqualTo(all);
	}

	@Test
	void keepsWhatLimitsInShadowDecided() {
		this.request.addDecision(Decision.of(1, List.of(), List.of(limit("a", 9), limit("b", 5))));
		this.request.addDecision(Decision.of(2, List.of(limit("c", 1)), List.of(limit("a", 8))));
		assertThat(this.request.decision())
			.isEqualTo(Decision.of(2, List.of(limit("c", 1)), List.of(limit("b", 5), limit("a", 8))));
	}

	@Test
	void endsACallThatIsOpenedAfterTheEndOfTheRequest() {
		RateLimiter limiter = new RateLimiter(
				new Policies(
						List.of(new Policy("busy", List.of(Limit.parse("1 concurrent")), List.of(Policy.EVERYONE)))),
				new MemoryRateLimitStore(10), List.of());
		List<Charge> busy = List.of(Charge.of("busy", "k"));
		this.request.end(null, null);
		this.request.open(limiter.reserve(busy), CallCharges.of(busy).untilRequestEnds(), limiter);
		assertThat(limiter.peek(busy).allowed()).isTrue();
		this.request.resume();
		this.request.open(limiter.reserve(busy), CallCharges.of(busy).untilRequestEnds(), limiter);
		assertThat(limiter.peek(busy).allowed()).isFalse();
		this.request.end(null, null);
		assertThat(limiter.peek(busy).allowed()).isTrue();
	}

	private static Decision decision(long time, LimitDecision... limits) {
		return Decision.of(time, List.of(limits));
	}

	private static LimitDecision limit(String policy, long remaining) {
		return new LimitDecision(policy, "key", Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s")), remaining, 0, 7,
				0);
	}

}
