package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DelaysTests {

	@Test
	void completesNotBeforeTheDelay() {
		long start = System.nanoTime();
		Delays.after(20, TimeUnit.MILLISECONDS).join();
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
	}

	@Test
	void failsWhatTakesTooLong() {
		CompletableFuture<String> never = new CompletableFuture<>();
		assertThat(Delays.orTimeout(never, Duration.ofMillis(1))).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(TimeoutException.class);
	}

	@Test
	void leavesWhatIsInTimeAlone() {
		CompletableFuture<String> now = CompletableFuture.completedFuture("now");
		assertThat(Delays.orTimeout(now, Duration.ofNanos(1))).isCompletedWithValue("now");
	}

	@Test
	void endsItsThreadWhenNothingIsDelayed() throws InterruptedException {
		Delays.after(1, TimeUnit.HOURS).cancel(false);
		List<Thread> threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ratelimit-delays"))
			.toList();
		assertThat(threads).hasSize(1);
		threads.get(0).join(TimeUnit.SECONDS.toMillis(10));
		assertThat(threads.get(0).isAlive()).isFalse();
	}

}
