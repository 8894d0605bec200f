package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the bound on threads that wait for their turn.
 */
class WaitingBoundTests {

	private static final long TENTH = 100_000;

	private static final PolicyOptions ONE_WAITS = PolicyOptions.STANDARD.withMaxWait(Duration.ofSeconds(1))
		.withMaxWaiting(1);

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final TestStore store = new TestStore(this.clock::get);

	private final Policies policies = new Policies(List.of(policy("queue").withOptions(ONE_WAITS),
			policy("other").withOptions(ONE_WAITS), policy("none").withOptions(ONE_WAITS.withMaxWaiting(0)),
			policy("local").withOptions(ONE_WAITS.withMaxWaiting(0).withStoreFailure(OnStoreFailure.LOCAL, 100))));

	private final RecordingSleeper sleeper = new RecordingSleeper();

	private final List<String> events = new ArrayList<>();

	private final RateLimiter limiter = limiter();

	@Test
	void deniesAtOnceAndChargesNothingBeyondTheBound() {
		List<Decision> meanwhile = new ArrayList<>();
		this.sleeper.meanwhile = () -> {
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "a")));
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "b")));
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "b")));
		};
		this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(TENTH);
		assertThat(meanwhile).extracting(Decision::allowed).containsExactly(false, true, false);
		assertThat(meanwhile).extracting(Decision::retryAfterMicros).containsExactly(2 * TENTH, 0L, TENTH);
		this.sleeper.meanwhile = () -> {
		};
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(2 * TENTH);
	}

	@Test
	void boundsEachPolicyOnItsOwn() {
		List<Decision> meanwhile = new ArrayList<>();
		this.sleeper.meanwhile = () -> {
			this.sleeper.meanwhile = () -> {
			};
			meanwhile.add(this.limiter.acquire(Charge.of("other", "a")));
			meanwhile.add(this.limiter.acquire(List.of(Charge.of("other", "a"), Charge.of("queue", "a"))));
		};
		this.limiter.acquire(List.of(Charge.of("queue", "a"), Charge.of("other", "a")));
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(TENTH);
		assertThat(meanwhile).extracting(Decision::waitMicros).containsExactly(TENTH, 0L);
		assertThat(meanwhile).extracting(Decision::allowed).containsExactly(true, false);
	}

	@Test
	void refundsTheTurnOfADecidedCallBeyondTheBound() throws InterruptedException {
		CountDownLatch proceed = new CountDownLatch(1);
		this.limiter.acquire(Charge.of("queue", "a"));
		Thread[] first = new Thread[1];
		this.store.afterNextDecision(() -> first[0] = waiting(proceed));
		Decision overtaken = this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(overtaken.allowed()).isFalse();
		assertThat(overtaken.retryAfterMicros()).isEqualTo(TENTH);
		proceed.countDown();
		first[0].join();
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(2 * TENTH);
		assertThat(this.events).containsSubsequence("allowed", "waiting [queue]", "denied", "waited [queue]")
			.doesNotContain("adjusted -1");
	}

	@Test
	void refundsTheTurnOfAnInterruptedThread() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.sleeper.interrupts = true;
		for (int call = 0; call < 3; call++) {
			assertThatExceptionOfType(CancellationException.class)
				.isThrownBy(() -> this.limiter.acquire(Charge.of("queue", "a")));
			assertThat(Thread.interrupted()).isTrue();
		}
		this.sleeper.interrupts = false;
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(TENTH);
	}

	@Test
	void doesNotBoundCallsThatWaitWithoutAThread() {
		this.limiter.acquire(Charge.of("none", "a"));
		assertThat(this.limiter.acquire(Charge.of("none", "a")).allowed()).isFalse();
		CompletableFuture<Decision> decision = this.limiter.acquireAsync(Charge.of("none", "a")).toCompletableFuture();
		this.sleeper.delayed.get(0).complete(null);
		assertThat(decision.join().waitMicros()).isEqualTo(TENTH);
	}

	@Test
	void boundsWaitingThreadsWhileTheStoreFails() {
		this.store.fail();
		assertThat(this.limiter.acquire(Charge.of("local", "a")).allowed()).isTrue();
		assertThat(this.limiter.acquire(Charge.of("local", "a")).allowed()).isFalse();
	}

	@Test
	void notifiesListenersOfEveryWaitingCall() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(this.events).containsExactly("allowed", "allowed", "waiting [queue]", "waited [queue]");
		this.events.clear();
		CompletableFuture<Decision> call = this.limiter.acquireAsync(Charge.of("queue", "a")).toCompletableFuture();
		assertThat(this.events).containsExactly("allowed", "waiting [queue]");
		call.cancel(true);
		assertThat(this.events).containsExactlyInAnyOrder("allowed", "waiting [queue]", "waited [queue]",
				"adjusted -1");
	}

	@Test
	void refusesANegativeBound() {
		assertThatIllegalArgumentException().isThrownBy(() -> PolicyOptions.STANDARD.withMaxWaiting(-1))
			.withMessage("the most threads that wait are at least 0, was -1");
	}

	/** Starts a thread whose call sleeps until it may proceed. */
	private Thread waiting(CountDownLatch proceed) {
		CountDownLatch asleep = new CountDownLatch(1);
		this.sleeper.meanwhile = () -> {
			asleep.countDown();
			await(proceed);
		};
		Thread thread = new Thread(() -> this.limiter.acquire(Charge.of("queue", "a")));
		thread.start();
		await(asleep);
		return thread;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private RateLimiter limiter() {
		StoreFallback fallback = new StoreFallback(this.policies, this.store,
				new MemoryRateLimitStore(1000, this.clock::get));
		return new RateLimiter(this.policies, new DecisionEngine(this.policies, this.store, fallback,
				List.of(new RecordingListener()), LimitOverrides.NONE),
				new QueuedTurns(this.policies, new RecordingListener(), this.sleeper));
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("10/1s leaky-bucket", Algorithm.LEAKY_BUCKET)), List.of("global"));
	}

	private final class RecordingListener implements RateLimitListener {

		@Override
		public void adjusted(Charge charge, long difference) {
			WaitingBoundTests.this.events.add("adjusted " + difference);
		}

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			WaitingBoundTests.this.events.add(decision.allowed() ? "allowed" : "denied");
		}

		@Override
		public void waiting(List<String> policies) {
			WaitingBoundTests.this.events.add("waiting " + policies);
		}

		@Override
		public void waited(List<String> policies) {
			WaitingBoundTests.this.events.add("waited " + policies);
		}

	}

}
