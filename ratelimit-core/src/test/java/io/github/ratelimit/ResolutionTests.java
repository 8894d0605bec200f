package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of charges that are used again.
 */
class ResolutionTests {

	private final Policies policies = new Policies(List.of(policy("10/1h")));

	private final TestStore store = new TestStore(() -> 1_000_000);

	private final List<Charge> charges = List.of(new Charge("api", "a", 2));

	@Test
	void resolvesTheSameChargesOnce() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		limiter.acquire(this.charges);
		limiter.acquire(this.charges);
		limiter.acquireAsync(this.charges).toCompletableFuture().join();
		limiter.acquire(this.charges.get(0));
		List<StoreRequest> requests = this.store.requests();
		assertThat(requests).hasSize(4);
		assertThat(requests.get(2)).isSameAs(requests.get(1)).isSameAs(requests.get(3));
	}

	@Test
	void resolvesTheSameListOnce() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		List<Charge> charges = List.of(Charge.of("api", "a"), Charge.of("api", "b"));
		limiter.acquire(charges);
		limiter.acquire(charges);
		limiter.acquire(charges);
		assertThat(this.store.requests().get(2)).isSameAs(this.store.requests().get(1));
	}

	@Test
	void resolvesAModifiableListAgain() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		List<Charge> charges = new ArrayList<>(this.charges);
		charges.add(Charge.of("api", "b"));
		limiter.acquire(charges);
		limiter.acquire(charges);
		charges.set(1, Charge.of("api", "c"));
		assertThat(limiter.acquire(charges).limits()).hasSize(2);
		assertThat(limiter.peek(List.of(Charge.of("api", "c"))).limits().get(0).remaining()).isEqualTo(9);
		assertThat(limiter.acquire(this.charges).limits()).hasSize(1);
	}

	@Test
	void chargesLikeOtherCharges() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		Reservation reservation = limiter.reserve(this.charges);
		assertThat(reservation.charges()).containsExactly(new Charge("api", "a", 2));
		assertThat(limiter.acquire(this.charges.get(0)).limits().get(0).remaining()).isEqualTo(6);
		limiter.refund(reservation);
		limiter.refund(limiter.reserve(this.charges));
		assertThat(limiter.peek(this.charges).limits().get(0).remaining()).isEqualTo(8);
	}

	@Test
	void followsAReplacedPolicy() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		limiter.acquire(this.charges);
		this.policies.replace(policy("100/1h"));
		assertThat(limiter.acquire(this.charges).limits().get(0).limit()).hasToString("100/1h");
		this.policies.replace(policy("1/1h"));
		assertThatExceptionOfType(UnsatisfiableCostException.class).isThrownBy(() -> limiter.acquire(this.charges));
	}

	@Test
	void followsTheLimitsOfTheirCaller() {
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
	void followsTheLimitsOfTheirCallerIfAnotherLimiterHasNone() {
		RateLimiter alike = new RateLimiter(this.policies, this.store, List.of());
		IntStream.range(0, 3).forEach((call) -> alike.acquire(this.charges.get(0)));
		RateLimiter limiter = new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1), List.of(),
				(policy, key) -> List.of(Limit.parse("50/1h", Algorithm.TOKEN_BUCKET)));
		assertThat(limiter.acquire(this.charges.get(0)).limits().get(0).limit()).hasToString("50/1h");
	}

	@Test
	void keepsTheLatestOfListsThatStartWithTheSameCharge() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		Charge charge = Charge.of("api", "a");
		List<Charge> first = List.of(charge, Charge.of("api", "b"));
		List<Charge> second = List.of(charge, Charge.of("api", "c"));
		List.of(first, second, second, first, first).forEach(limiter::acquire);
		List<StoreRequest> requests = this.store.requests();
		assertThat(requests.get(2)).isSameAs(requests.get(1));
		assertThat(requests.get(3)).isEqualTo(requests.get(0)).isNotSameAs(requests.get(0));
		assertThat(requests.get(4)).isSameAs(requests.get(3));
	}

	@Test
	void keepsTheResolutionOfEqualCharges() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		IntStream.range(0, 3).forEach((call) -> limiter.acquire(Charge.of("api", "a")));
		limiter.acquire(new Charge("api", "a", 2));
		limiter.acquire(Charge.of("api", "a").withPlan("gold"));
		List<StoreRequest> requests = this.store.requests();
		assertThat(requests.get(1)).isNotSameAs(requests.get(0));
		assertThat(requests.get(2)).isSameAs(requests.get(1));
		assertThat(requests.get(3).permits().get(0).cost()).isEqualTo(2);
		assertThat(requests.get(4)).isEqualTo(requests.get(0)).isNotSameAs(requests.get(2));
	}

	@Test
	void tellsKeysWithTheSameHashApart() {
		assertThat("Aa").hasSameHashCodeAs("BB");
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		List<String> keys = List.of("Aa", "Aa", "BB", "Aa", "BB", "BB");
		keys.forEach((key) -> limiter.acquire(Charge.of("api", key)));
		assertThat(this.store.requests()).extracting((request) -> request.permits().get(0).key())
			.containsExactlyElementsOf(keys);
	}

	@Test
	void keepsNoLongKeys() {
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());
		String longest = "a".repeat(128);
		List.of(longest, longest, longest, longest + "a", longest + "a", longest + "a")
			.forEach((key) -> limiter.acquire(Charge.of("api", key)));
		List<StoreRequest> requests = this.store.requests();
		assertThat(requests.get(2)).isSameAs(requests.get(1));
		assertThat(requests.get(5)).isEqualTo(requests.get(4)).isNotSameAs(requests.get(4));
	}

	@Test
	void servesLimitersOfDifferentPolicies() {
		new RateLimiter(this.policies, this.store, List.of()).acquire(this.charges);
		RateLimiter other = new RateLimiter(new Policies(List.of(policy("20/1h"))), this.store, List.of());
		assertThat(other.acquire(this.charges).limits().get(0).limit()).hasToString("20/1h");
	}

	private static Policy policy(String limit) {
		return new Policy("api", List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of(Policy.EVERYONE));
	}

}
