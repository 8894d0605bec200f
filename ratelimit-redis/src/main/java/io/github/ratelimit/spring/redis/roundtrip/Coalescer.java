package io.github.ratelimit.spring.redis.roundtrip;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A coalescer of equal requests. While a few script runs for a key are in flight, further
 * requests for that key queue, and the next run decides all of them in the order in which
 * they came. The timeout of a request starts when it comes.
 */
public final class Coalescer {

	private static final int SLOTS = 16_384;

	/**
	 * The most runs in flight for a key while they decide few requests. With one run, a
	 * request that finds it in flight would wait for two runs.
	 */
	private static final int MOST_RUNS = 3;

	/**
	 * The number of requests in flight from which a key has no further run, as these
	 * callers gain more by sharing.
	 */
	private static final int FEW_REQUESTS = 16;

	/** Stands for the decision of a request that has a run of its own. */
	private static final CompletableFuture<Decision> OWN_RUN = new CompletableFuture<>();

	/** The latest queue of each key, which may have ended. */
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
	@SuppressWarnings("ReferenceEquality")
	public CompletableFuture<Decision> acquire(StoreRequest request, boolean isAwaited) {
		KeyQueue latest = this.queues.get(request);
		CompletableFuture<Decision> decision = (latest != null && latest.isFor(request)) ? latest.tryJoin() : null;
		if (latest == null || decision == null) {
			return startFirst(new KeyQueue(request), isAwaited);
		}
		return (decision == OWN_RUN) ? startSingle(latest, isAwaited) : decision;
	}

	/** Starts a run for the first request of a queue. */
	private CompletableFuture<Decision> startFirst(KeyQueue queue, boolean isAwaited) {
		this.queues.put(queue.request, queue);
		if (PrefetchCache.isPrefetchable(queue.request)) {
			CompletableFuture<Decision> decision = new CompletableFuture<>();
			start(queue, queue.batch(List.of(decision), this.runner.now()));
			return decision;
		}
		return startSingle(queue, isAwaited);
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
			queue.end().fail(ex);
			throw ex;
		}
	}

	private static @Nullable CrossKeyBatcher batcher(ScriptRunner runner, int mostRuns) {
		return runner.isClustered() ? null : new CrossKeyBatcher(runner, CrossKeyBatcher.FEW_REQUESTS, mostRuns);
	}

	private void start(KeyQueue queue, CoalescedBatch batch) {
		try {
			CompletableFuture<?> unused = this.runner.runAsync(batch.encode(this.codec, this.runner.now()), batch);
		}
		catch (RuntimeException | Error ex) {
			batch.fail(ex);
			queue.end().fail(ex);
		}
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
			this.queue.failQueued();
		}

	}

	/**
	 * The queue of requests that are equal to those in flight. It ends once the last run
	 * returns and the queue is empty.
	 */
	private final class KeyQueue implements Batching {

		private final StoreRequest request;

		private List<CompletableFuture<Decision>> queued = List.of();

		private long since;

		private int runsInFlight = 1;

		private int requestsInFlight = 1;

		private boolean ended;

		KeyQueue(StoreRequest request) {
			this.request = request;
		}

		boolean isFor(StoreRequest request) {
			return this.request.equals(request);
		}

		/**
		 * Queues a request, or reserves a run of its own while few are in flight. Returns
		 * null if the queue has ended, as no run would decide the request. Only one run
		 * at a time may prefetch.
		 */
		synchronized @Nullable CompletableFuture<Decision> tryJoin() {
			if (this.ended) {
				return null;
			}
			if (this.queued.isEmpty() && hasRoom() && !PrefetchCache.isPrefetchable(this.request)) {
				this.runsInFlight++;
				this.requestsInFlight++;
				return OWN_RUN;
			}
			if (this.queued.isEmpty()) {
				this.queued = new ArrayList<>();
				this.since = Coalescer.this.runner.now();
			}
			CompletableFuture<Decision> decision = new CompletableFuture<>();
			this.queued.add(decision);
			return decision;
		}

		@Override
		public synchronized boolean hasQueued() {
			return !this.queued.isEmpty();
		}

		@Override
		public void runEnded(int requests) {
			if (PrefetchCache.isPrefetchable(this.request)) {
				spendPrefetch().forEach(CompletableFuture::complete);
			}
			CoalescedBatch next = tryTakeQueued(requests);
			if (next != null) {
				start(this, next);
			}
		}

		/** Spends prefetched permits for queued requests. */
		private synchronized Map<CompletableFuture<Decision>, Decision> spendPrefetch() {
			Map<CompletableFuture<Decision>, Decision> decided = new LinkedHashMap<>();
			Decision next = this.queued.isEmpty() ? null : Coalescer.this.prefetches.trySpend(this.request);
			while (next != null) {
				decided.put(this.queued.get(decided.size()), next);
				next = (decided.size() < this.queued.size()) ? Coalescer.this.prefetches.trySpend(this.request) : null;
			}
			this.queued = new ArrayList<>(this.queued.subList(decided.size(), this.queued.size()));
			return decided;
		}

		/**
		 * Returns the queued requests after a run has ended, or null if no run may follow
		 * it. Without any in flight or queued, the queue ends.
		 */
		private synchronized @Nullable CoalescedBatch tryTakeQueued(int endedRequests) {
			this.runsInFlight--;
			this.requestsInFlight -= endedRequests;
			this.ended |= this.runsInFlight == 0 && this.queued.isEmpty();
			if (this.queued.isEmpty() || !hasRoom()) {
				return null;
			}
			int requests = this.queued.size();
			CoalescedBatch taken = takeQueued();
			this.runsInFlight++;
			this.requestsInFlight += requests;
			return taken;
		}

		/** Returns whether another run may start. */
		private boolean hasRoom() {
			return this.runsInFlight == 0 || (this.runsInFlight < MOST_RUNS && this.requestsInFlight < FEW_REQUESTS);
		}

		/** Ends the queue and returns the queued requests. */
		synchronized CoalescedBatch end() {
			this.ended = true;
			return takeQueued();
		}

		private CoalescedBatch takeQueued() {
			CoalescedBatch taken = batch(this.queued, this.since);
			this.queued = List.of();
			return taken;
		}

		@Override
		public void failQueued() {
			end().fail(RedisFailures.circuitOpen());
		}

		CoalescedBatch batch(List<CompletableFuture<Decision>> pending, long since) {
			return new CoalescedBatch(this, this.request, pending, since);
		}

		@Override
		public DenialCache denials() {
			return Coalescer.this.denials;
		}

		@Override
		public PrefetchCache prefetches() {
			return Coalescer.this.prefetches;
		}

	}

}
