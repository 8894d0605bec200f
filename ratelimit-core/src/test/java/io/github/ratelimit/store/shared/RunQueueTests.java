package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunQueueTests {

	private final AtomicLong clock = new AtomicLong();

	private final TwoRuns queue = new TwoRuns(this.clock::get);

	@Test
	void reservesRunsUntilItsRoomIsTaken() {
		assertThat(Stream.generate(this.queue::tryReserve).limit(3)).containsExactly(true, true, false);
		this.queue.runEnded(1);
		assertThat(this.queue.tryReserve()).isTrue();
	}

	@Test
	void reservesNoRunAheadOfQueuedRequests() {
		reserveAll();
		add(1);
		this.queue.most = 3;
		assertThat(this.queue.tryReserve()).isFalse();
	}

	@Test
	void takesAllRequestsInOrderOnceARunHasEnded() {
		reserveAll();
		this.clock.set(7);
		List<CompletableFuture<Long>> requests = add(3);
		this.clock.set(9);
		assertThat(this.queue.started).isEmpty();
		this.queue.runEnded(1);
		assertThat(this.queue.started).containsExactly(new RunQueue.Batch<>(requests, 7));
	}

	@Test
	void startsTheNextRunIfOneCannotBeStarted() {
		reserveAll();
		List<CompletableFuture<Long>> requests = add(1);
		this.queue.failures = 1;
		this.queue.whileStarting = () -> requests.addAll(add(1));
		this.queue.runEnded(1);
		assertThat(started()).containsExactly(List.of(requests.get(1)));
		assertThat(this.queue.tryReserve()).isFalse();
	}

	@Test
	void countsOnlyRequestsThatARunDecides() {
		reserveAll();
		List<CompletableFuture<Long>> requests = add(3);
		requests.get(0).cancel(false);
		requests.get(1).cancel(false);
		this.queue.runEnded(1);
		assertThat(started()).containsExactly(List.of(requests.get(2)));
		this.queue.runEnded(1);
		assertThat(this.queue.tryReserve()).isTrue();
		assertThat(this.queue.tryReserve()).isFalse();
	}

	@Test
	void releasesTheRunIfNoRequestNeedsIt() {
		reserveAll();
		add(1).get(0).cancel(false);
		this.queue.runEnded(1);
		assertThat(started()).isEmpty();
		assertThat(this.queue.tryReserve()).isTrue();
	}

	@Test
	void queuesNoRequestOnceItHasFailed() {
		reserveAll();
		List<CompletableFuture<Long>> requests = add(1);
		this.queue.fail(new RateLimitStoreException("not asked", null));
		assertThat(requests.get(0)).isCompletedExceptionally();
		assertThat(this.queue.isFailed()).isTrue();
		assertThat(this.queue.tryReserve()).isTrue();
		List<CompletableFuture<Long>> later = add(1);
		assertThat(started()).containsExactly(later);
	}

	@Test
	void becomesIdleAfterItsLastRun() {
		reserveAll();
		add(1);
		this.queue.runEnded(1);
		this.queue.runEnded(1);
		assertThat(this.queue.idle).isZero();
		this.queue.runEnded(1);
		assertThat(this.queue.idle).isEqualTo(1);
	}

	private List<List<CompletableFuture<Long>>> started() {
		return this.queue.started.stream().map(RunQueue.Batch::requests).toList();
	}

	private void reserveAll() {
		assertThat(this.queue.tryReserve()).isTrue();
		assertThat(this.queue.tryReserve()).isTrue();
	}

	private List<CompletableFuture<Long>> add(int count) {
		List<CompletableFuture<Long>> requests = new ArrayList<>();
		for (int request = 0; request < count; request++) {
			requests.add(new CompletableFuture<>());
			this.queue.add(requests.get(request));
		}
		return requests;
	}

	/** A queue behind two runs of one request. */
	private static final class TwoRuns extends RunQueue<CompletableFuture<Long>> {

		private final List<Batch<CompletableFuture<Long>>> started = new ArrayList<>();

		private int most = 2;

		private int failures;

		private int idle;

		private Runnable whileStarting = () -> {
		};

		TwoRuns(LongSupplier clock) {
			super(clock);
		}

		@Override
		protected boolean hasRoom(int runs, int requests, int queued) {
			return runs < this.most && requests < this.most;
		}

		@Override
		protected int tryStart(Batch<CompletableFuture<Long>> batch) {
			batch.requests().removeIf(CompletableFuture::isDone);
			if (this.failures > 0) {
				this.failures--;
				this.whileStarting.run();
				return 0;
			}
			if (!batch.requests().isEmpty()) {
				this.started.add(batch);
			}
			return batch.requests().size();
		}

		@Override
		protected void becameIdle() {
			this.idle++;
		}

	}

}
