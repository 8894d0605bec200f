package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;

import io.github.ratelimit.store.StoreOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of calls that wait for permits which other calls hold.
 */
@Timeout(60)
class PermitWaitTests {

	private final TwoInstances two = new TwoInstances();

	@AfterEach
	void close() {
		this.two.close();
	}

	@Test
	void getsThePermitOfThisInstanceAtOnce() throws Exception {
		Reservation first = this.two.limiter.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		this.two.limiter.release(first);
		assertThat(second.get().decision().allowed()).isTrue();
		assertThat(second.get().holdsPermits()).isTrue();
		assertThat(this.two.time.pending()).isZero();
	}

	@Test
	void findsThePermitOfAnotherInstanceAtIntervalsThatGrow() throws Exception {
		Reservation first = this.two.other.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		assertThat(this.two.triesWithin(10_000)).isEqualTo(1);
		assertThat(this.two.triesWithin(20_000)).isEqualTo(1);
		assertThat(this.two.triesWithin(50_000)).isEqualTo(1);
		assertThat(this.two.triesWithin(400_000)).isBetween(4, 6);
		this.two.other.release(first);
		this.two.time.advance(100_000);
		assertThat(second.get().decision().allowed()).isTrue();
	}

	@Test
	void triesAgainWhenALeaseEnds() throws Exception {
		this.two.policies.replace(TwoInstances.policy("slots", "1 concurrent lease 10s"));
		this.two.other.reserve(TwoInstances.charge("slots"));
		this.two.time.advance(10 * TwoInstances.SECOND - 5_000);
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		assertThat(this.two.triesWithin(4_000)).isZero();
		this.two.time.advance(1_000);
		assertThat(second.get().decision().allowed()).isTrue();
	}

	@Test
	void triesAgainIfAPermitIsReleasedBeforeItQueues() throws Exception {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		this.two.store.afterNextDecision(() -> this.two.limiter.release(holder));
		assertThat(this.two.onThread("slots").get().decision().allowed()).isTrue();
	}

	@Test
	void passesFurtherPermitsOnToTheNextCall() throws Exception {
		List<Reservation> holders = List.of(this.two.other.reserve(TwoInstances.charge("everyone")),
				this.two.other.reserve(TwoInstances.charge("everyone")));
		FutureTask<Reservation> first = this.two.onThread("everyone");
		this.two.time.awaitPending(2);
		FutureTask<Reservation> second = this.two.onThread("everyone");
		this.two.time.awaitPending(3);
		holders.forEach(this.two.other::release);
		this.two.time.advance(10_000);
		assertThat(first.get().decision().allowed()).isTrue();
		assertThat(second.get().decision().allowed()).isTrue();
	}

	@Test
	void servesCallsInTheOrderInWhichTheyCame() throws Exception {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		List<Integer> served = new CopyOnWriteArrayList<>();
		List<FutureTask<Reservation>> calls = new ArrayList<>();
		for (int call = 0; call < 6; call++) {
			calls.add((call % 2 == 0) ? this.two.onThread("slots")
					: TwoInstances.withoutThread(this.two.limiter, "slots"));
			this.two.time.awaitPending(call + 2);
		}
		int executed = this.two.store.requests(StoreOperation.ACQUIRE).size();
		for (int call = 0; call < 6; call++) {
			this.two.limiter.release(holder);
			this.two.time.advance(1);
			holder = calls.get(call).get();
			served.add(call);
			int done = (int) calls.stream().filter(FutureTask::isDone).count();
			assertThat(done).isEqualTo(call + 1);
		}
		assertThat(served).hasSize(6);
		assertThat(this.two.store.requests(StoreOperation.ACQUIRE)).hasSize(executed + 6);
	}

	@Test
	void letsNoNewCallOvertakeThoseThatWait() throws Exception {
		Reservation holder = this.two.other.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> first = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		this.two.other.release(holder);
		Reservation impatient = this.two.limiter
			.reserve(List.of(TwoInstances.charge("slots").get(0).waitingUpTo(Duration.ZERO)));
		assertThat(impatient.decision().allowed()).isFalse();
		assertThat(impatient.decision().retryAfterMicros()).isEqualTo(TwoInstances.SECOND);
		assertThat(impatient.holdsPermits()).isFalse();
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(3);
		this.two.time.advance(10_000);
		assertThat(first.get().decision().allowed()).isTrue();
		this.two.limiter.release(first.get());
		assertThat(second.get().decision().allowed()).isTrue();
	}

	@Test
	void notifiesListenersOfTheLastTryAlone() throws Exception {
		Reservation holder = this.two.other.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> call = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		long since = System.nanoTime();
		for (int interval = 0; interval < 5; interval++) {
			this.two.triesWithin(100_000);
		}
		ManualTime.await(() -> System.nanoTime() - since > 100_000_000);
		this.two.other.release(holder);
		this.two.time.advance(100_000);
		call.get();
		assertThat(this.two.listener.events).containsExactly("waiting [slots]", "waited [slots]", "allowed");
		assertThat(this.two.listener.elapsedNanos).isLessThan(System.nanoTime() - since - 50_000_000);
	}

	@Test
	void boundsWaitingThreads() throws Exception {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("few"));
		FutureTask<Reservation> first = this.two.onThread("few");
		this.two.time.awaitPending(2);
		assertThat(this.two.limiter.reserve(TwoInstances.charge("few")).decision().allowed()).isFalse();
		CompletableFuture<Reservation> async = this.two.limiter.reserveAsync(TwoInstances.charge("few"))
			.toCompletableFuture();
		assertThat(async).isNotDone();
		this.two.limiter.release(holder);
		this.two.limiter.release(first.get());
		this.two.time.advance(1);
		assertThat(async.join().holdsPermits()).isTrue();
		FutureTask<Reservation> next = this.two.onThread("few");
		this.two.time.awaitPending(2);
		this.two.limiter.release(async.join());
		assertThat(next.get().decision().allowed()).isTrue();
	}

}
