package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what listeners are notified of when a charge costs something else.
 */
class AdjustmentListenerTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private final Policies policies = new Policies(
			List.of(policy("api"), policy("site"), policy("off").withMode(EnforcementMode.OFF, List.of()),
					policy("clamped").withOptions(PolicyOptions.STANDARD.withMaxCost(new MaxCost(5, true))),
					policy("open").withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.ALLOW, 100))));

	private final TestStore store = new TestStore(() -> NOW);

	private final List<String> adjusted = new ArrayList<>();

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of(new RateLimitListener() {

		@Override
		public void adjusted(Charge charge, long difference) {
			AdjustmentListenerTests.this.adjusted.add(charge.policy() + ' ' + charge.key() + ' ' + difference);
		}

	}));

	@ParameterizedTest
	@EnumSource
	void areNotifiedOnceOfTheDifference(CallStyle style) {
		Reservation less = reserve(style, charge("api", 3));
		style.adjust(this.limiter, less, 1);
		style.adjust(this.limiter, less, 9);
		style.adjust(this.limiter, reserve(style, charge("api", 3)), 4);
		style.adjust(this.limiter, reserve(style, charge("api", 1)), 1);
		assertThat(this.adjusted).containsExactly("api a -2", "api a 1");
	}

	@Test
	void areNotifiedOfARefund() {
		Reservation both = reserve(CallStyle.BLOCKING, charge("api", 3), charge("site", 2));
		this.limiter.refund(both.perCharge().get(1));
		this.limiter.refundAsync(both).toCompletableFuture().join();
		this.limiter.refund(both);
		assertThat(this.adjusted).containsExactly("site a -2", "api a -3");
	}

	@ParameterizedTest
	@EnumSource
	void areNotNotifiedOfChargesWithoutLimits(CallStyle style) {
		style.adjust(this.limiter, reserve(style, charge("off", 3)), 1);
		style.adjust(this.limiter, reserve(style, Charge.exempt("api"), charge("off", 3), charge("api", 2)), 1);
		assertThat(this.adjusted).containsExactly("api a -1");
	}

	@ParameterizedTest
	@EnumSource
	void areNotNotifiedOfADenial(CallStyle style) {
		reserve(style, charge("api", 10));
		style.adjust(this.limiter, reserve(style, charge("api", 1)), 9);
		assertThat(this.adjusted).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void areNotifiedOfTheDifferenceToWhatWasCharged(CallStyle style) {
		style.adjust(this.limiter, reserve(style, charge("clamped", 9)), 3);
		style.adjust(this.limiter, reserve(style, charge("clamped", 3)), 9);
		assertThat(this.adjusted).containsExactly("clamped a -2", "clamped a 2");
	}

	@ParameterizedTest
	@EnumSource
	void areNotifiedOfTheKeyOfTheCallerIfItSpendsAGrant(CallStyle style) {
		Grant grant = new Grant("grant-a", Limit.parse("10/1h", Algorithm.FIXED_WINDOW));
		this.policies
			.control(new KeyControls(Map.of(new Subject("api", "a"), new KeyControl(false, List.of(), grant))));
		reserve(style, charge("api", 10));
		style.adjust(this.limiter, reserve(style, charge("site", 1), charge("api", 4)), 3);
		assertThat(this.adjusted).containsExactly("site a 2", "api a -1");
	}

	@ParameterizedTest
	@EnumSource
	void areNotifiedAlsoIfTheStoreFails(CallStyle style) {
		Reservation before = reserve(style, charge("api", 3));
		this.store.fail();
		style.adjust(this.limiter, before, 1);
		style.adjust(this.limiter, reserve(style, charge("open", 3)), 1);
		assertThat(this.adjusted).containsExactly("api a -2", "open a -2");
	}

	@Test
	void areNotifiedOfTheRefundOfACancelledCall() {
		this.store.delay();
		CompletableFuture<?> call = this.limiter.acquireAsync(charge("api", 2)).toCompletableFuture();
		call.cancel(false);
		assertThat(this.adjusted).isEmpty();
		this.store.complete();
		assertThat(this.adjusted).containsExactly("api a -2");
	}

	private Reservation reserve(CallStyle style, Charge... charges) {
		return style.reserve(this.limiter, List.of(charges));
	}

	private static Charge charge(String policy, long cost) {
		return new Charge(policy, "a", cost);
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("10/1h", Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

}
