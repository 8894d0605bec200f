package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Charges that call after call makes.
 */
class FixedChargesTests {

	private final Policies policies = new Policies(List.of(policy("10/1h")));

	private final RecordingStore store = new RecordingStore();

	private final FixedCharges charges = new FixedCharges(List.of(new Charge("api", "a", 2)));

	@Test
	void workOutOnceWhatIsAskedOfTheStore() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		limiter.acquire(this.charges);
		limiter.acquireAsync(this.charges).toCompletableFuture().join();
		assertThat(this.store.asked).hasSize(2);
		assertThat(this.store.asked.get(1)).isSameAs(this.store.asked.get(0));
	}

	@Test
	void chargeAsOtherChargesDo() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		Hold hold = limiter.hold(this.charges);
		assertThat(hold.charges()).containsExactly(new Charge("api", "a", 2));
		assertThat(limiter.acquire(this.charges.get(0)).limits().get(0).remaining()).isEqualTo(6);
		limiter.giveBack(hold);
		limiter.giveBack(limiter.hold(this.charges));
		assertThat(limiter.peek(this.charges).limits().get(0).remaining()).isEqualTo(8);
	}

	@Test
	void followAPolicyThatIsReplaced() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		limiter.acquire(this.charges);
		this.policies.replace(policy("100/1h"));
		assertThat(limiter.acquire(this.charges).limits().get(0).limit()).hasToString("100/1h");
		this.policies.replace(policy("1/1h"));
		assertThatExceptionOfType(UnsatisfiableCostException.class).isThrownBy(() -> limiter.acquire(this.charges));
	}

	@Test
	void followTheLimitsOfTheirCaller() {
		List<Limit> own = new ArrayList<>();
		RateLimiter limiter = new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1), List.of(),
				(policy, key) -> List.copyOf(own));
		limiter.acquire(this.charges);
		own.add(Limit.parse("50/1h", Algorithm.TOKEN_BUCKET));
		assertThat(limiter.acquire(this.charges).limits().get(0).limit()).hasToString("50/1h");
		own.clear();
		assertThat(limiter.acquire(this.charges).limits().get(0).limit()).hasToString("10/1h");
	}

	@Test
	void serveLimitersOfDifferentPolicies() {
		new RateLimiter(this.policies, this.store, List.of()).acquire(this.charges);
		RateLimiter other = new RateLimiter(new Policies(List.of(policy("20/1h"))), this.store, List.of());
		assertThat(other.acquire(this.charges).limits().get(0).limit()).hasToString("20/1h");
	}

	private static Policy policy(String limit) {
		return new Policy("api", List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of(Policy.EVERYONE));
	}

	/** Remembers what it was asked. */
	private static final class RecordingStore implements RateLimitStore {

		private final RateLimitStore counts = new MemoryRateLimitStore(10);

		private final List<List<Debit>> asked = new ArrayList<>();

		@Override
		public String name() {
			return "recording";
		}

		@Override
		public Decision execute(Operation operation, List<Debit> debits) {
			this.asked.add(debits);
			return this.counts.execute(operation, debits);
		}

		@Override
		public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
			return CompletableFuture.completedStage(execute(operation, debits));
		}

	}

}
