package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A coalescer of equal requests. Once eight requests for a key are in flight, further
 * ones queue, and the next run decides all of them in the order in which they came. Fewer
 * have a run each, as sharing would only let them wait for each other. The timeout of a
 * request starts when it comes.
 */
public final class Coalescer {

	private static final int SLOTS = 16_384;

	/** The latest queue of each key, which may have failed. */
	private final DirectMappedCache<KeyQueue> queues = new DirectMappedCache<>(SLOTS);

	private final ScriptRunner runner;

	/** Batches requests for different keys; {@code null} in a cluster. */
	private final @Nullable CrossKeyBatcher batcher;

	/** Batches those that threads wait for. */
	private final @Nullable CrossKeyBatcher awaitedBatcher;

	private final ScriptCodec codec;

	private final DenialCache denials;

	private final PrefetchCache prefetches;

	/** Creates a coalescer. Without a cluster, it also batches different keys. */
	public Coalescer(ScriptRunner runner, ScriptCodec codec, DenialCache denials, PrefetchCache prefetches) {
		this.runner = runner;
		this.batcher = batcher(runner, CrossKeyBatcher.MOST_RUNS);
		this.awaitedBatcher = batcher(runner, CrossKeyBatcher.MOST_AWAITED_RUNS);
		this.codec = codec;
		this.denials = denials;
		this.prefetches = prefetches;
	}

	/**
	 * Acquires the permits of an {@linkplain StoreRequest#isImmediate immediate} request.
	 * @param isAwaited whether a thread waits for the decision
	 */
	public CompletableFuture<Decision> acquire(StoreRequest request, boolean isAwaited) {
		KeyQueue queue = queue(request);
		if (!queue.isPrefetching && queue.tryReserve()) {
			return startSingle(queue, isAwaited);
		}
		CompletableFuture<Decision> decision = new CompletableFuture<>();
		queue.add(decision);
		return decision;
	}

	private KeyQueue queue(StoreRequest request) {
		KeyQueue latest = this.queues.get(request);
		if (latest != null && latest.request.equals(request) && !latest.isFailed()) {
			return latest;
		}
		KeyQueue queue = new KeyQueue(request);
		this.queues.put(request, queue);
		return queue;
	}

	/** Starts a run for one request, perhaps in a batch with those for other keys. */
	private CompletableFuture<Decision> startSingle(KeyQueue queue, boolean isAwaited) {
		try {
			ScriptInvocation invocation = this.codec.encode(queue.request);
			SingleHandler handler = new SingleHandler(queue);
			CrossKeyBatcher batcher = isAwaited ? this.awaitedBatcher : this.batcher;
			return (batcher != null) ? batcher.run(invocation, handler) : this.runner.runAsync(invocation, handler);
		}
		catch (RuntimeException | Error ex) {
			queue.fail(ex);
			throw ex;
		}
	}

	private static @Nullable CrossKeyBatcher batcher(ScriptRunner runner, int mostRuns) {
		return runner.isClustered() ? null : new CrossKeyBatcher(runner, CrossKeyBatcher.FEW_REQUESTS, mostRuns);
	}

	/**
	 * Starts the next run before it completes its request, so that Redis works meanwhile.
	 */
	private final class SingleHandler extends DenialCache.LearningHandler<Decision> {

		private final KeyQueue queue;

		SingleHandler(KeyQueue queue) {
			super(Coalescer.this.denials);
			this.queue = queue;
		}

		@Override
		public Decision onReply(byte[] reply) {
			this.queue.runEnded(1);
			Decision decision = ScriptCodec.decode(this.queue.request, reply);
			if (decision.allowed() || !Coalescer.this.prefetches.tryMakeRoom(this.queue.request, decision)) {
				learn(this.queue.request, decision);
			}
			return decision;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			this.queue.runEnded(1);
			return RedisFailures.of(failure);
		}

		@Override
		public void onProbe() {
			this.queue.fail(RedisFailures.circuitOpen());
		}

	}

	/** The queue of requests that are equal. Only one run at a time may prefetch. */
	private final class KeyQueue extends RunQueue<CompletableFuture<Decision>> {

		private final StoreRequest request;

		private final boolean isPrefetching;

		KeyQueue(StoreRequest request) {
			super(Coalescer.this.runner);
			this.request = request;
			this.isPrefetching = PrefetchCache.isPrefetchable(request);
		}

		@Override
		boolean hasRoom(int runs, int requests, int queued) {
			return runs == 0 || (requests < CrossKeyBatcher.FEW_REQUESTS && !this.isPrefetching);
		}

		@Override
		int tryStart(Batch<CompletableFuture<Decision>> queued) {
			List<CompletableFuture<Decision>> pending = queued.requests();
			if (this.isPrefetching && pending.removeIf(this::trySpend) && pending.isEmpty()) {
				return 0;
			}
			CoalescedBatch batch = new CoalescedBatch(this, this.request, pending, Coalescer.this.denials,
					Coalescer.this.prefetches);
			try {
				long waited = Coalescer.this.runner.now() - queued.since();
				ScriptInvocation invocation = batch.encode(Coalescer.this.codec, waited);
				CompletableFuture<?> unused = Coalescer.this.runner.runAsync(invocation, batch);
				return pending.size();
			}
			catch (RuntimeException | Error ex) {
				batch.fail(ex);
				fail(ex);
				return 0;
			}
		}

		private boolean trySpend(CompletableFuture<Decision> decision) {
			Decision spent = Coalescer.this.prefetches.trySpend(this.request);
			if (spent != null) {
				decision.complete(spent);
			}
			return spent != null;
		}

	}

}
