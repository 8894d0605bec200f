package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimiterTests {

	private static final PolicyOptions DENIES = PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100);

	private final Policies policies = new Policies(List.of(policy("quotes", "2/1m"), policy("login", "5/1m", "20/1h")));

	private final RecordingListener listener = new RecordingListener();

	private final RateLimiter limiter = limiter(new MemoryRateLimitStore(100, () -> 1_000_000));

	@Test
	void deniesTheCallAfterTheLast() {
		assertThat(this.limiter.acquire(Charge.of("quotes", "alice")).allowed()).isTrue();
		assertThat(this.limiter.acquire(Charge.of("quotes", "alice")).allowed()).isTrue();
		Decision denied = this.limiter.acquire(Charge.of("quotes", "alice"));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.retryAfterMicros()).isEqualTo(30_000_000);
		assertThat(this.limiter.acquire(Charge.of("quotes", "bob")).allowed()).isTrue();
	}

	@Test
	void reportsEveryLimitOfAPolicyInItsOrder() {
		Decision decision = this.limiter.acquire(new Charge("login", "alice", 3));
		assertThat(decision.limits()).extracting(LimitDecision::remaining).containsExactly(2L, 17L);
		assertThat(decision.limits()).extracting(LimitDecision::policy).containsOnly("login");
	}

	@Test
	void chargesAllPoliciesOrNone() {
		List<Charge> charges = List.of(new Charge("quotes", "alice", 2), new Charge("login", "alice", 5));
		assertThat(this.limiter.acquire(charges).allowed()).isTrue();
		List<Charge> half = List.of(Charge.of("login", "bob"), Charge.of("quotes", "alice"));
		assertThat(this.limiter.acquire(half).allowed()).isFalse();
		assertThat(this.limiter.acquire(new Charge("login", "bob", 5)).allowed()).isTrue();
	}

	@Test
	void addsUpTheChargesOfACallToOneKey() {
		List<Charge> twice = List.of(Charge.of("quotes", "alice"), Charge.of("quotes", "alice"));
		Decision decision = this.limiter.acquire(twice);
		assertThat(decision.limits()).singleElement().extracting(LimitDecision::remaining).isEqualTo(0L);
	}

	@Test
	void decidesTheSameWithoutBlocking() {
		this.limiter.acquireAsync(new Charge("quotes", "alice", 2)).toCompletableFuture().join();
		Decision denied = this.limiter.acquireAsync(Charge.of("quotes", "alice")).toCompletableFuture().join();
		assertThat(denied).isEqualTo(this.limiter.acquire(Charge.of("quotes", "alice")));
	}

	@Test
	void keepsWhatIsSpentWhenAPolicyIsReplaced() {
		this.limiter.acquire(new Charge("quotes", "alice", 2));
		this.policies.replace(policy("quotes", "5/1m"));
		assertThat(this.limiter.acquire(new Charge("quotes", "alice", 4)).allowed()).isFalse();
		assertThat(this.limiter.acquire(new Charge("quotes", "alice", 3)).allowed()).isTrue();
	}

	@Test
	void refusesAnUnknownPolicyAndNamesTheKnown() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.acquire(Charge.of("qotes", "alice")))
			.withMessage("there is no policy named 'qotes'; there are [login, quotes]");
	}

	@Test
	void refusesACostThatNoWaitWouldMakeFit() {
		List<Charge> charges = List.of(Charge.of("quotes", "alice"), new Charge("login", "alice", 6));
		assertThatExceptionOfType(UnsatisfiableCostException.class).isThrownBy(() -> this.limiter.acquire(charges))
			.withMessage("'cost' must be at most 5, the burst of limit 5/1m in policy 'login', was 6")
			.satisfies((ex) -> assertThat(ex.getPolicy()).isEqualTo("login"));
		assertThat(this.listener.events).containsExactly("unsatisfiable [quotes, login]");
		assertThat(this.limiter.acquire(new Charge("quotes", "alice", 2)).allowed()).isTrue();
	}

	@Test
	void refusesANegativeCost() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Charge("quotes", "alice", -1))
			.withMessage("'cost' must not be negative, was -1");
	}

	@Test
	void refusesToDecideNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.acquire(List.of()))
			.withMessage("'charges' must not be empty");
	}

	@Test
	void notifiesListenersOfEveryDecision() {
		this.limiter.acquire(new Charge("quotes", "alice", 2));
		this.limiter.acquireAsync(Charge.of("quotes", "alice")).toCompletableFuture().join();
		assertThat(this.listener.events).containsExactly("allowed [quotes]", "denied [quotes]");
	}

	@Test
	void notifiesListenersOfFailuresAndThrowsThem() {
		RateLimiter limiter = limiter(new TestStore(() -> 1_000_000).fail());
		this.policies.replace(policy("quotes", "2/1m").withOptions(DENIES));
		assertThatExceptionOfType(RateLimitStoreException.class)
			.isThrownBy(() -> limiter.acquire(Charge.of("quotes", "alice")));
		assertThat(limiter.acquireAsync(Charge.of("quotes", "alice"))).isCompletedExceptionally();
		assertThat(this.listener.events).containsExactly("failed [quotes]", "failed [quotes]");
	}

	@Test
	void decidesEvenIfAListenerFails() {
		RateLimitListener broken = new RateLimitListener() {

			@Override
			public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
				throw new IllegalStateException("broken listener");
			}

		};
		RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(1),
				List.of(broken, this.listener));
		assertThat(limiter.acquire(Charge.of("quotes", "alice")).allowed()).isTrue();
		assertThat(this.listener.events).containsExactly("allowed [quotes]");
	}

	@Test
	void keepsTheKeyOutOfExceptions() {
		Decision decision = this.limiter.acquire(new Charge("quotes", "alice", 2));
		assertThat(new RateLimitExceededException(decision)).hasMessageNotContaining("alice");
	}

	private RateLimiter limiter(RateLimitStore store) {
		return new RateLimiter(this.policies, store, List.of(this.listener));
	}

	private static Policy policy(String name, String... rates) {
		List<Limit> limits = List.of(rates)
			.stream()
			.map((rate) -> Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate)))
			.toList();
		return new Policy(name, limits, List.of("global"));
	}

	private static final class RecordingListener implements RateLimitListener {

		private final List<String> events = new ArrayList<>();

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.events.add((decision.allowed() ? "allowed " : "denied ") + policies(charges));
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			this.events.add("failed " + policies(charges));
		}

		@Override
		public void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
			this.events.add("unsatisfiable " + policies(charges));
		}

		private static List<String> policies(List<Charge> charges) {
			return charges.stream().map(Charge::policy).toList();
		}

	}

}
