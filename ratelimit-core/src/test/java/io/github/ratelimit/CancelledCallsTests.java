package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of calls without a thread that are cancelled before they may proceed.
 */
class CancelledCallsTests {

	private static final long SECOND = 1_000_000;

	private static final long NOW = 1_790_000_000_000_000L;

	private final Policies policies = new Policies(List.of(
			policy("queue").withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofMinutes(1))), policy("plain"),
			policy("local").withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, 100))));

	private final TestStore store = new TestStore(() -> NOW).delay();

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());

	/** The operations that a call without a thread may use. */
	enum Operation {

		ACQUIRE, RESERVE;

		CompletableFuture<?> of(RateLimiter limiter, String policy) {
			List<Charge> charges = List.of(Charge.of(policy, "a"));
			CompletionStage<?> stage = (this == ACQUIRE) ? limiter.acquireAsync(charges)
					: limiter.reserveAsync(charges);
			return stage.toCompletableFuture();
		}

	}

	@ParameterizedTest
	@EnumSource
	void refundTheirTurnsWhileTheyWait(Operation operation) {
		this.limiter.acquire(Charge.of("queue", "a"));
		List<? extends CompletableFuture<?>> calls = Stream.of(1, 2, 3).map((call) -> {
			CompletableFuture<?> waiting = operation.of(this.limiter, "queue");
			this.store.complete();
			return waiting;
		}).toList();
		assertThat(waitOfTheNext()).isEqualTo(40 * SECOND);
		calls.forEach((call) -> assertThat(call.cancel(true)).isTrue());
		this.store.complete();
		assertThat(waitOfTheNext()).isEqualTo(10 * SECOND);
		assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource
	void refundOnceTheChargeOfALaterDecision(Operation operation) {
		CompletableFuture<?> call = operation.of(this.limiter, "plain");
		assertThat(call.cancel(false)).isTrue();
		this.store.complete();
		this.store.complete();
		assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(1);
		assertThat(this.limiter.peek(List.of(Charge.of("plain", "a"))).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void refundTheLocalChargeOnceTheStoreFails(Operation operation) {
		operation.of(this.limiter, "local").cancel(false);
		this.store.fail().complete();
		assertThat(this.limiter.acquire(Charge.of("local", "a")).allowed()).isTrue();
		assertThat(this.limiter.acquire(Charge.of("local", "a")).allowed()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void refundOnceTheTurnOfALaterDecision(Operation operation) {
		this.limiter.acquire(Charge.of("queue", "a"));
		operation.of(this.limiter, "queue").cancel(false);
		this.store.complete();
		this.store.complete();
		assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(1);
		assertThat(waitOfTheNext()).isEqualTo(10 * SECOND);
	}

	@Test
	void refundNothingOnceTheyMayProceed() {
		CompletableFuture<?> call = Operation.RESERVE.of(this.limiter, "plain");
		this.store.complete();
		assertThat(call.cancel(true)).isFalse();
		assertThat(this.store.requests(StoreOperation.REFUND)).isEmpty();
	}

	@Test
	void refundNothingOfADenial() {
		this.limiter.acquire(Charge.of("plain", "a"));
		Operation.RESERVE.of(this.limiter, "plain").cancel(true);
		this.store.complete();
		assertThat(this.store.requests(StoreOperation.REFUND)).isEmpty();
	}

	@Test
	void areChargedNothingIfTheirOverridesArriveLater() {
		LateOverrides overrides = new LateOverrides();
		RateLimiter limiter = new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1), List.of(),
				overrides);
		CompletableFuture<?> cancelled = Operation.RESERVE.of(limiter, "plain");
		cancelled.cancel(true);
		overrides.limits.complete(List.of());
		assertThat(this.store.delayed()).isZero();
		assertThat(Operation.RESERVE.of(limiter, "plain")).isNotDone();
		assertThat(this.store.delayed()).isEqualTo(1);
	}

	private long waitOfTheNext() {
		return this.limiter.peek(List.of(Charge.of("queue", "a"))).waitMicros();
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("1/10s leaky-bucket", Algorithm.LEAKY_BUCKET)), List.of("global"));
	}

	private static final class LateOverrides implements LimitOverrides {

		private final CompletableFuture<List<Limit>> limits = new CompletableFuture<>();

		@Override
		public List<Limit> of(String policy, String key) {
			return this.limits.join();
		}

		@Override
		public CompletionStage<List<Limit>> ofAsync(String policy, String key) {
			return this.limits;
		}

	}

}
