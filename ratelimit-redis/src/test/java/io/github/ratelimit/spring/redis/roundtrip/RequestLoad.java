package io.github.ratelimit.spring.redis.roundtrip;

import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.shared.ReplyHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** A load of requests from many threads, and a Redis that replies at once on others. */
final class RequestLoad implements ScriptRunner {

	private final Queue<Integer> requestsPerRun = new ConcurrentLinkedQueue<>();

	private final ExecutorService redis = Executors.newFixedThreadPool(3);

	private final boolean clustered;

	private final IntFunction<Reply> replies;

	/**
	 * Creates a load.
	 * @param clustered whether Redis is a cluster
	 * @param replies returns the reply to a run of some requests
	 */
	RequestLoad(boolean clustered, IntFunction<Reply> replies) {
		this.clustered = clustered;
		this.replies = replies;
	}

	/** Sends requests, and asserts that a run decides each of them. */
	void run(int threads, int requestsPerThread, Runnable request) throws InterruptedException {
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		CompletableFuture<?>[] done = IntStream.range(0, threads)
			.mapToObj((caller) -> CompletableFuture
				.runAsync(() -> IntStream.range(0, requestsPerThread).forEach((number) -> request.run()), callers))
			.toArray(CompletableFuture<?>[]::new);
		assertThat(CompletableFuture.allOf(done)).succeedsWithin(30, TimeUnit.SECONDS);
		callers.shutdown();
		this.redis.shutdown();
		assertThat(this.redis.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.requestsPerRun.stream().mapToInt(Integer::intValue).sum())
			.isEqualTo(threads * requestsPerThread);
	}

	/** Returns the number of requests of each run so far. */
	Queue<Integer> requestsPerRun() {
		return this.requestsPerRun;
	}

	@Override
	public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		this.requestsPerRun.add(invocation.requests());
		byte[] reply = this.replies.apply(invocation.requests()).bytes();
		return CompletableFuture.supplyAsync(() -> handler.onReply(reply), this.redis);
	}

	@Override
	public void connect() {
	}

	@Override
	public boolean isClustered() {
		return this.clustered;
	}

	/** Returns a task that waits until as many threads have come as the barrier takes. */
	static Runnable together(int threads) {
		CyclicBarrier barrier = new CyclicBarrier(threads);
		return () -> {
			try {
				barrier.await();
			}
			catch (InterruptedException | BrokenBarrierException ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

}
