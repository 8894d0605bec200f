package io.github.ratelimit.spring.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many threads that ask, and some that answer. */
class SharedRunsLoadTests {

	private static final Clause CLAUSE = new Clause("quotes", "quotes", 0, Limit.parse("10/1s", Algorithm.TOKEN_BUCKET),
			0);

	private final Queue<Integer> asked = new ConcurrentLinkedQueue<>();

	private final ScriptCalls calls = new ScriptCalls("test", null);

	@Test
	void decidesOnEachCallOnceHoweverManyComeAtATime() throws InterruptedException {
		decides(SharedRuns.MOST_RUNS, 4 * SharedRuns.MOST_CALLS, 500, () -> {
		});
		assertThat(this.asked).allMatch((size) -> size <= SharedRuns.MOST_CALLS).anyMatch((size) -> size > 1);
	}

	/** So that none that is left behind is found by one that comes later. */
	@Test
	void leavesNoCallBehind() throws InterruptedException {
		CyclicBarrier together = new CyclicBarrier(2);
		decides(1, 2, 20_000, () -> {
			try {
				together.await();
			}
			catch (InterruptedException | BrokenBarrierException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void decides(int mostRuns, int threads, int callsOfEach, Runnable before) throws InterruptedException {
		ExecutorService redis = Executors.newFixedThreadPool(3);
		SharedRuns runs = new SharedRuns(new Answering(redis), mostRuns, mostRuns);
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		List<CompletableFuture<Void>> done = IntStream.range(0, threads)
			.mapToObj((caller) -> CompletableFuture.runAsync(() -> call(runs, callsOfEach, before), callers))
			.toList();
		assertThat(CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new))).succeedsWithin(30,
				TimeUnit.SECONDS);
		callers.shutdown();
		redis.shutdown();
		assertThat(redis.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.asked.stream().mapToInt(Integer::intValue).sum()).isEqualTo(threads * callsOfEach);
	}

	private void call(SharedRuns runs, int calls, Runnable before) {
		for (int call = 0; call < calls; call++) {
			before.run();
			ScriptCall words = this.calls.of(Operation.ACQUIRE, List.of(new Debit(CLAUSE, "alice", 1, 0)));
			runs.run(words, new RawReply()).join();
		}
	}

	private final class Answering implements ScriptRunner {

		private final Executor threads;

		Answering(Executor threads) {
			this.threads = threads;
		}

		@Override
		public <T> T run(ScriptCall call, ReplyReader<T> reader) {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
			SharedRunsLoadTests.this.asked.add(call.calls());
			ByteBuffer reply = ByteBuffer.allocate((2 + 3 * call.calls()) * Double.BYTES)
				.order(ByteOrder.LITTLE_ENDIAN)
				.putDouble(1)
				.putDouble(1);
			return CompletableFuture.supplyAsync(() -> reader.read(reply.array()), this.threads);
		}

		@Override
		public void connect() {
		}

	}

}
