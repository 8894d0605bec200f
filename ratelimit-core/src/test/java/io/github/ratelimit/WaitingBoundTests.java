package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Threads that wait for their turns, of which a policy bounds the number.
 */
class WaitingBoundTests {

	private static final long TENTH = 100_000;

	private static final Terms ONE_WAITS = Terms.STANDARD.withMaxWait(Duration.ofSeconds(1)).withMaxWaiting(1);

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	private final Policies policies = new Policies(List.of(policy("queue").withTerms(ONE_WAITS),
			policy("other").withTerms(ONE_WAITS), policy("none").withTerms(ONE_WAITS.withMaxWaiting(0)),
			policy("local").withTerms(ONE_WAITS.withMaxWaiting(0).withStoreFailure(OnStoreFailure.LOCAL, 100))));

	private final RecordedPause pause = new RecordedPause();

	private final List<String> heard = new ArrayList<>();

	private final RateLimiter limiter = limiter(this.store);

	@Test
	void deniesAtOnceAndChargesNothingBeyondTheBound() {
		List<Decision> meanwhile = new ArrayList<>();
		this.pause.meanwhile = () -> {
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "a")));
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "b")));
			meanwhile.add(this.limiter.acquire(Charge.of("queue", "b")));
		};
		this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(TENTH);
		assertThat(meanwhile).extracting(Decision::allowed).containsExactly(false, true, false);
		assertThat(meanwhile).extracting(Decision::retryAfterMicros).containsExactly(2 * TENTH, 0L, TENTH);
		this.pause.meanwhile = () -> {
		};
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(2 * TENTH);
	}

	@Test
	void boundsEachPolicyOnItsOwn() {
		List<Decision> meanwhile = new ArrayList<>();
		this.pause.meanwhile = () -> {
			this.pause.meanwhile = () -> {
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
	void givesBackTheTurnOfACallThatIsBeyondTheBoundOnceItIsDecided() throws InterruptedException {
		CountDownLatch proceed = new CountDownLatch(1);
		this.limiter.acquire(Charge.of("queue", "a"));
		Thread[] first = new Thread[1];
		RateLimiter[] limiter = new RateLimiter[1];
		limiter[0] = limiter(new OvertakenStore(() -> first[0] = waiting(limiter[0], proceed)));
		Decision overtaken = limiter[0].acquire(Charge.of("queue", "a"));
		assertThat(overtaken.allowed()).isFalse();
		assertThat(overtaken.retryAfterMicros()).isEqualTo(TENTH);
		proceed.countDown();
		first[0].join();
		assertThat(limiter[0].acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(2 * TENTH);
		assertThat(this.heard).containsSubsequence("allowed", "waiting [queue]", "denied", "waited [queue]");
	}

	@Test
	void freesThePlaceOfAThreadThatIsInterrupted() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.pause.interrupts = true;
		for (int call = 0; call < 3; call++) {
			assertThatExceptionOfType(CancellationException.class)
				.isThrownBy(() -> this.limiter.acquire(Charge.of("queue", "a")));
			assertThat(Thread.interrupted()).isTrue();
		}
		this.pause.interrupts = false;
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(TENTH);
	}

	@Test
	void boundsNoCallThatWaitsWithoutAThread() {
		this.limiter.acquire(Charge.of("none", "a"));
		assertThat(this.limiter.acquire(Charge.of("none", "a")).allowed()).isFalse();
		CompletableFuture<Decision> decision = this.limiter.acquireAsync(Charge.of("none", "a")).toCompletableFuture();
		this.pause.delayed.get(0).complete(null);
		assertThat(decision.join().waitMicros()).isEqualTo(TENTH);
	}

	@Test
	void boundsThreadsThatWaitByTheCountOfThisInstance() {
		BreakableStore broken = new BreakableStore(this.clock::get);
		broken.broken = true;
		RateLimiter limiter = limiter(broken);
		assertThat(limiter.acquire(Charge.of("local", "a")).allowed()).isTrue();
		assertThat(limiter.acquire(Charge.of("local", "a")).allowed()).isFalse();
	}

	@Test
	void tellsListenersOfEveryCallThatWaits() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(this.heard).containsExactly("allowed", "allowed", "waiting [queue]", "waited [queue]");
		this.heard.clear();
		CompletableFuture<Decision> call = this.limiter.acquireAsync(Charge.of("queue", "a")).toCompletableFuture();
		assertThat(this.heard).containsExactly("allowed", "waiting [queue]");
		call.cancel(true);
		assertThat(this.heard).containsExactly("allowed", "waiting [queue]", "waited [queue]");
	}

	@Test
	void refusesABoundBelowNone() {
		assertThatIllegalArgumentException().isThrownBy(() -> Terms.STANDARD.withMaxWaiting(-1))
			.withMessage("the most threads that wait are at least 0, was -1");
	}

	/** Sleeps until it may go on. */
	private Thread waiting(RateLimiter limiter, CountDownLatch proceed) {
		CountDownLatch asleep = new CountDownLatch(1);
		this.pause.meanwhile = () -> {
			asleep.countDown();
			await(proceed);
		};
		Thread thread = new Thread(() -> limiter.acquire(Charge.of("queue", "a")));
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

	private RateLimiter limiter(RateLimitStore store) {
		Fallback fallback = new Fallback(this.policies, new MemoryRateLimitStore(1000, this.clock::get));
		return new RateLimiter(this.policies,
				new Decisions(this.policies, store, fallback, List.of(new Ear()), LimitOverrides.NONE),
				new Turns(this.policies, new Ear(), this.pause));
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("10/1s leaky-bucket", Algorithm.LEAKY_BUCKET)), List.of("global"));
	}

	private final class Ear implements RateLimitListener {

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			WaitingBoundTests.this.heard.add(decision.allowed() ? "allowed" : "denied");
		}

		@Override
		public void waiting(List<String> policies) {
			WaitingBoundTests.this.heard.add("waiting " + policies);
		}

		@Override
		public void waited(List<String> policies) {
			WaitingBoundTests.this.heard.add("waited " + policies);
		}

	}

	/** After its first decision, another call gets in between. */
	private final class OvertakenStore implements RateLimitStore {

		private Runnable between;

		OvertakenStore(Runnable between) {
			this.between = between;
		}

		@Override
		public String name() {
			return "overtaken";
		}

		@Override
		public Decision execute(Operation operation, List<Debit> debits) {
			Decision decision = WaitingBoundTests.this.store.execute(operation, debits);
			Runnable now = this.between;
			this.between = () -> {
			};
			now.run();
			return decision;
		}

		@Override
		public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
			throw new UnsupportedOperationException();
		}

	}

}
