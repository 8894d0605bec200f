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

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.driver.ReplyHandler;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many threads that send requests, and some that reply. */
class CrossKeyBatcherLoadTests {

	private static final PolicyLimit LIMITED = new PolicyLimit("quotes", "quotes", 0,
			Limit.parse("10/1s", Algorithm.TOKEN_BUCKET), 0);

	private final Queue<Integer> requestsPerRun = new ConcurrentLinkedQueue<>();

	private final ScriptCodec codec = new ScriptCodec("test", null);

	@Test
	void decidesEachRequestOnceUnderLoad() throws InterruptedException {
		run(CrossKeyBatcher.MOST_RUNS, 4 * CrossKeyBatcher.LARGEST_BATCH, 500, () -> {
		});
		assertThat(this.requestsPerRun).allMatch((size) -> size <= CrossKeyBatcher.LARGEST_BATCH)
			.anyMatch((size) -> size > 1);
	}

	/** Two requests at a time, so that a lost one is not found by a later one. */
	@Test
	void losesNoRequest() throws InterruptedException {
		CyclicBarrier together = new CyclicBarrier(2);
		run(1, 2, 20_000, () -> {
			try {
				together.await();
			}
			catch (InterruptedException | BrokenBarrierException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void run(int mostRuns, int threads, int requestsPerThread, Runnable before) throws InterruptedException {
		ExecutorService redis = Executors.newFixedThreadPool(3);
		CrossKeyBatcher batcher = new CrossKeyBatcher(new ReplyingRedis(redis), mostRuns, mostRuns);
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		List<CompletableFuture<Void>> done = IntStream.range(0, threads)
			.mapToObj((caller) -> CompletableFuture.runAsync(() -> send(batcher, requestsPerThread, before), callers))
			.toList();
		assertThat(CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new))).succeedsWithin(30,
				TimeUnit.SECONDS);
		callers.shutdown();
		redis.shutdown();
		assertThat(redis.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.requestsPerRun.stream().mapToInt(Integer::intValue).sum())
			.isEqualTo(threads * requestsPerThread);
	}

	private void send(CrossKeyBatcher batcher, int requests, Runnable before) {
		for (int request = 0; request < requests; request++) {
			before.run();
			ScriptInvocation invocation = this.codec
				.encode(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)));
			batcher.run(invocation, new RawReply()).join();
		}
	}

	private final class ReplyingRedis implements ScriptRunner {

		private final Executor threads;

		ReplyingRedis(Executor threads) {
			this.threads = threads;
		}

		@Override
		public <T> T run(ScriptInvocation invocation, ReplyHandler<T> handler) {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<T> handler) {
			CrossKeyBatcherLoadTests.this.requestsPerRun.add(invocation.requests());
			Reply reply = Reply.admitted(1);
			IntStream.range(0, invocation.requests()).forEach((request) -> reply.remaining(0));
			return CompletableFuture.supplyAsync(() -> handler.onReply(reply.bytes()), this.threads);
		}

		@Override
		public void connect() {
		}

	}

}
