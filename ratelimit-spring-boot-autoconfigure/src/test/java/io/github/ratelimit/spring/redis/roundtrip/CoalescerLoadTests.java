package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.driver.ReplyHandler;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many threads that send requests for one key, and some that reply. */
class CoalescerLoadTests {

	private static final StoreRequest REQUEST = StoreRequest.of(StoreOperation.ACQUIRE,
			new PermitRequest(CoalescerTests.LIMITED, "alice", 1, 0));

	private final Queue<Integer> requestsPerRun = new ConcurrentLinkedQueue<>();

	@Test
	void decidesEachRequestOnceUnderLoad() throws InterruptedException {
		run(128, 500, () -> {
		});
		assertThat(this.requestsPerRun).anyMatch((size) -> size > 1);
	}

	/** A few requests at a time, so that a lost one is not found by a later one. */
	@Test
	void losesNoRequest() throws InterruptedException {
		CyclicBarrier together = new CyclicBarrier(5);
		run(5, 10_000, () -> {
			try {
				together.await();
			}
			catch (InterruptedException | BrokenBarrierException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void run(int threads, int requestsPerThread, Runnable before) throws InterruptedException {
		ExecutorService redis = Executors.newFixedThreadPool(3);
		Coalescer coalescer = CoalescerTests.coalescer(new ReplyingCluster(redis));
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		List<CompletableFuture<Void>> done = IntStream.range(0, threads)
			.mapToObj((caller) -> CompletableFuture.runAsync(() -> send(coalescer, requestsPerThread, before), callers))
			.toList();
		assertThat(CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new))).succeedsWithin(30,
				TimeUnit.SECONDS);
		callers.shutdown();
		redis.shutdown();
		assertThat(redis.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.requestsPerRun.stream().mapToInt(Integer::intValue).sum())
			.isEqualTo(threads * requestsPerThread);
	}

	private static void send(Coalescer coalescer, int requests, Runnable before) {
		for (int request = 0; request < requests; request++) {
			before.run();
			assertThat(coalescer.acquire(REQUEST, true).join().allowed()).isTrue();
		}
	}

	/** Replies at once. Without batches, each run is of equal requests. */
	private final class ReplyingCluster implements ScriptRunner {

		private final Executor threads;

		ReplyingCluster(Executor threads) {
			this.threads = threads;
		}

		@Override
		public <T> T run(ScriptInvocation invocation, ReplyHandler<T> handler) {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<T> handler) {
			CoalescerLoadTests.this.requestsPerRun.add(invocation.requests());
			byte[] reply = Reply.admitted(invocation.requests()).remaining(0).bytes();
			return CompletableFuture.supplyAsync(() -> handler.onReply(reply), this.threads);
		}

		@Override
		public void connect() {
		}

		@Override
		public boolean isClustered() {
			return true;
		}

	}

}
