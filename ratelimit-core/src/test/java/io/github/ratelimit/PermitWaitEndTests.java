package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the end of waits for permits which other calls hold.
 */
@Timeout(60)
class PermitWaitEndTests {

	private final TwoInstances two = new TwoInstances();

	@AfterEach
	void close() {
		this.two.close();
	}

	@Test
	void deniesWhenTheTimeIsOver() throws Exception {
		this.two.other.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> first = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(3);
		assertThat(this.two.passUntilDone(first, second)).isEqualTo(2 * TwoInstances.SECOND);
		for (FutureTask<Reservation> call : List.of(first, second)) {
			assertThat(call.get().decision().allowed()).isFalse();
			assertThat(call.get().decision().retryAfterMicros()).isEqualTo(TwoInstances.SECOND);
			assertThat(call.get().holdsPermits()).isFalse();
		}
		assertThat(this.two.listener.decisions).hasSize(2);
		assertThat(this.two.time.pending()).isZero();
	}

	@Test
	void leavesTheNextCallItsTurnIfAThreadIsInterrupted() throws Exception {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		FutureTask<Reservation> first = new FutureTask<>(() -> {
			thread.complete(Thread.currentThread());
			return this.two.limiter.reserve(TwoInstances.charge("slots"));
		});
		new Thread(first).start();
		this.two.time.awaitPending(2);
		FutureTask<Reservation> second = this.two.onThread("slots");
		this.two.time.awaitPending(3);
		thread.join().interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(first::get)
			.withCauseInstanceOf(CancellationException.class);
		this.two.limiter.release(holder);
		assertThat(second.get().decision().allowed()).isTrue();
		this.two.limiter.release(second.get());
		assertThat(this.two.limiter.peek(TwoInstances.charge("slots")).allowed()).isTrue();
		assertThat(this.two.listener.abandoned).isEqualTo(1);
		assertThat(this.two.listener.waiting).isZero();
	}

	@Test
	void waitsWithoutAThreadUntilItIsCancelled() {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		CompletableFuture<Reservation> first = this.two.limiter.reserveAsync(TwoInstances.charge("slots"))
			.toCompletableFuture();
		CompletableFuture<Reservation> second = this.two.limiter.reserveAsync(TwoInstances.charge("slots"))
			.toCompletableFuture();
		assertThat(this.two.listener.waiting).isEqualTo(2);
		assertThat(first.cancel(true)).isTrue();
		assertThat(this.two.listener.waiting).isEqualTo(1);
		assertThat(this.two.listener.abandoned).isEqualTo(1);
		this.two.limiter.release(holder);
		assertThat(second).isNotDone();
		this.two.time.advance(1);
		assertThat(second.join().holdsPermits()).isTrue();
		assertThat(this.two.time.pending()).isZero();
	}

	@Test
	void givesBackThePermitThatACancelledCallGot() {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		CompletableFuture<Reservation> call = this.two.limiter.reserveAsync(TwoInstances.charge("slots"))
			.toCompletableFuture();
		this.two.store.delay();
		this.two.limiter.release(holder);
		this.two.time.advance(1);
		assertThat(this.two.store.delayed()).isEqualTo(1);
		call.cancel(true);
		this.two.store.complete();
		this.two.store.complete();
		assertThat(this.two.limiter.peek(TwoInstances.charge("slots")).allowed()).isTrue();
		assertThat(this.two.listener.decisions).hasSize(2);
	}

	@Test
	void endsWhenTheStoreFails() throws Exception {
		this.two.other.reserve(TwoInstances.charge("slots"));
		this.two.other.reserve(TwoInstances.charge("strict"));
		FutureTask<Reservation> allowed = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		FutureTask<Reservation> strict = TwoInstances.withoutThread(this.two.limiter, "strict");
		this.two.time.awaitPending(4);
		this.two.store.fail();
		this.two.time.advance(10_000);
		assertThat(allowed.get().decision().allowed()).isTrue();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(strict::get)
			.havingRootCause()
			.isInstanceOf(RateLimitStoreException.class);
		assertThat(this.two.listener.failures).isEqualTo(2);
		assertThat(this.two.listener.decisions).isEmpty();
		assertThat(this.two.listener.waiting).isZero();
	}

	@Test
	void endsWhenTheLimiterIsClosed() throws Exception {
		this.two.other.reserve(TwoInstances.charge("slots"));
		FutureTask<Reservation> call = this.two.onThread("slots");
		this.two.time.awaitPending(2);
		CompletableFuture<Reservation> async = this.two.limiter.reserveAsync(TwoInstances.charge("slots"))
			.toCompletableFuture();
		this.two.limiter.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(call::get)
			.withCauseInstanceOf(CancellationException.class);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(async::join);
		assertThat(this.two.limiter.reserve(TwoInstances.charge("slots")).decision().allowed()).isFalse();
		assertThat(this.two.listener.waiting).isZero();
	}

}
