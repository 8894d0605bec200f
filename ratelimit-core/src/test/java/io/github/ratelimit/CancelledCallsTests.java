package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls without a thread that are cancelled before they may proceed.
 */
class CancelledCallsTests {

	private static final long SECOND = 1_000_000;

	private static final long NOW = 1_790_000_000_000_000L;

	private final Policies policies = new Policies(
			List.of(policy("line").withTerms(Terms.STANDARD.withMaxWait(Duration.ofMinutes(1))), policy("plain")));

	private final LateStore store = new LateStore();

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());

	/** How a caller asks. */
	enum Ask {

		ACQUIRE, HOLD;

		CompletableFuture<?> of(RateLimiter limiter, String policy) {
			List<Charge> charges = List.of(Charge.of(policy, "a"));
			CompletionStage<?> stage = (this == ACQUIRE) ? limiter.acquireAsync(charges) : limiter.holdAsync(charges);
			return stage.toCompletableFuture();
		}

	}

	@ParameterizedTest
	@EnumSource
	void giveTheirTurnsBackWhileTheyWait(Ask ask) {
		this.limiter.acquire(Charge.of("line", "a"));
		List<? extends CompletableFuture<?>> calls = Stream.of(1, 2, 3).map((call) -> {
			CompletableFuture<?> waiting = ask.of(this.limiter, "line");
			this.store.decide();
			return waiting;
		}).toList();
		assertThat(waitOfTheNext()).isEqualTo(40 * SECOND);
		calls.forEach((call) -> assertThat(call.cancel(true)).isTrue());
		this.store.decide();
		assertThat(waitOfTheNext()).isEqualTo(10 * SECOND);
		assertThat(this.store.refunds).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void giveBackOnceWhatIsChargedAfterThey(Ask ask) {
		CompletableFuture<?> call = ask.of(this.limiter, "plain");
		assertThat(call.cancel(false)).isTrue();
		this.store.decide();
		this.store.decide();
		assertThat(this.store.refunds).isEqualTo(1);
		assertThat(this.limiter.peek(List.of(Charge.of("plain", "a"))).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void giveBackOnceATurnThatTheyGetAfterwards(Ask ask) {
		this.limiter.acquire(Charge.of("line", "a"));
		ask.of(this.limiter, "line").cancel(false);
		this.store.decide();
		this.store.decide();
		assertThat(this.store.refunds).isEqualTo(1);
		assertThat(waitOfTheNext()).isEqualTo(10 * SECOND);
	}

	@Test
	void giveNothingBackOnceTheyMayProceed() {
		CompletableFuture<?> call = Ask.HOLD.of(this.limiter, "plain");
		this.store.decide();
		assertThat(call.cancel(true)).isFalse();
		assertThat(this.store.refunds).isZero();
	}

	@Test
	void giveNothingBackOfADenial() {
		this.limiter.acquire(Charge.of("plain", "a"));
		Ask.HOLD.of(this.limiter, "plain").cancel(true);
		this.store.decide();
		assertThat(this.store.refunds).isZero();
	}

	@Test
	void areChargedNothingWhereTheirLimitsAreKnownOnlyAfterwards() {
		LateOverrides overrides = new LateOverrides();
		RateLimiter limiter = new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1), List.of(),
				overrides);
		CompletableFuture<?> cancelled = Ask.HOLD.of(limiter, "plain");
		cancelled.cancel(true);
		overrides.limits.complete(List.of());
		assertThat(this.store.undecided).isEmpty();
		assertThat(Ask.HOLD.of(limiter, "plain")).isNotDone();
		assertThat(this.store.undecided).hasSize(1);
	}

	private long waitOfTheNext() {
		return this.limiter.peek(List.of(Charge.of("line", "a"))).waitMicros();
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

	/** Decides calls without a thread only when it is told to. */
	private static final class LateStore implements RateLimitStore {

		private final RateLimitStore store = new MemoryRateLimitStore(1000, () -> NOW);

		private final List<Runnable> undecided = new ArrayList<>();

		private int refunds;

		void decide() {
			List<Runnable> now = List.copyOf(this.undecided);
			this.undecided.clear();
			now.forEach(Runnable::run);
		}

		@Override
		public String name() {
			return "late";
		}

		@Override
		public Decision execute(Operation operation, List<Debit> debits) {
			return this.store.execute(operation, debits);
		}

		@Override
		public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
			CompletableFuture<Decision> decision = new CompletableFuture<>();
			this.refunds += (operation == Operation.GIVE_BACK) ? 1 : 0;
			this.undecided.add(() -> decision.complete(this.store.execute(operation, debits)));
			return decision;
		}

	}

}
