package io.github.ratelimit.store.shared;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.StoreRequest;

/**
 * A coalescer of equal requests. Once eight requests for a key are in flight, further
 * ones queue, and the next run decides all of them in the order in which they came. Fewer
 * have a run each, as sharing would only let them wait for each other. The timeout of a
 * request starts when it comes. Thread-safe.
 *
 * @param <R> the type of the replies
 */
public final class Coalescer<R> {

	private static final int SLOTS = 16_384;

	/** The number of requests in flight from which on others queue. */
	private static final int FEW_REQUESTS = 8;

	/**
	 * The queues of keys with requests in flight, which may have failed. Most idle ones
	 * are not kept, as a queue that was last used long ago takes longer to compare than a
	 * new one to create.
	 */
	private final DirectMappedCache<KeyQueue> queues = new DirectMappedCache<>(SLOTS);

	private final DecisionRuns<R> runs;

	private final LongSupplier clock;

	private final Shortcuts shortcuts;

	/**
	 * Creates a coalescer.
	 * @param runs the runs that decide
	 * @param shortcuts the cache to remember denials in, and the prefetched permits
	 */
	public Coalescer(DecisionRuns<R> runs, Shortcuts shortcuts) {
		this.runs = runs;
		this.clock = runs::now;
		this.shortcuts = shortcuts;
	}

	/**
	 * Acquires the permits of an {@linkplain StoreRequest#isImmediate immediate} request.
	 * @param request the request
	 * @param isAwaited whether a thread waits for the decision
	 * @return the decision
	 * @throws RuntimeException the reason why no run could be started
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
			return this.runs.start(queue.request, isAwaited, new SingleHandler(queue));
		}
		catch (RuntimeException | Error ex) {
			queue.fail(this.runs.failure(ex));
			throw ex;
		}
	}

	/**
	 * Starts the next run before it completes its request, so that the store works
	 * meanwhile.
	 */
	private final class SingleHandler extends DenialCache.LearningHandler<R, Decision> {

		private final KeyQueue queue;

		SingleHandler(KeyQueue queue) {
			super(Coalescer.this.shortcuts.denials());
			this.queue = queue;
		}

		@Override
		public Decision onReply(R reply) {
			this.queue.runEnded(1);
			Decision decision = Coalescer.this.runs.decode(this.queue.request, reply);
			Coalescer.this.shortcuts.learn(this.queue.request, decision, this);
			return decision;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			this.queue.runEnded(1);
			return Coalescer.this.runs.failure(failure);
		}

		@Override
		public void onProbe(RuntimeException open) {
			this.queue.fail(open);
		}

	}

	/** The queue of requests that are equal. Only one run at a time may prefetch. */
	private final class KeyQueue extends RunQueue<CompletableFuture<Decision>> {

		private final StoreRequest request;

		private final boolean isPrefetching;

		KeyQueue(StoreRequest request) {
			super(Coalescer.this.clock);
			this.request = request;
			this.isPrefetching = PrefetchCache.isPrefetchable(request);
		}

		@Override
		protected boolean hasRoom(int runs, int requests, int queued) {
			return runs == 0 || (requests < FEW_REQUESTS && !this.isPrefetching);
		}

		@Override
		protected int tryStart(Batch<CompletableFuture<Decision>> queued) {
			List<CompletableFuture<Decision>> pending = queued.requests();
			if (this.isPrefetching && pending.removeIf(this::trySpend) && pending.isEmpty()) {
				return 0;
			}
			CoalescedBatch<R> batch = new CoalescedBatch<>(this, Coalescer.this.runs, this.request, pending,
					Coalescer.this.shortcuts);
			try {
				batch.start(Coalescer.this.runs.now() - queued.since());
				return pending.size();
			}
			catch (RuntimeException | Error ex) {
				fail(batch.fail(ex));
				return 0;
			}
		}

		/**
		 * Forgets the queue. If it is in use again, another begins beside it, which must
		 * not prefetch as well.
		 */
		@Override
		protected void becameIdle() {
			if (!this.isPrefetching) {
				Coalescer.this.queues.replace(this.request, this, null);
			}
		}

		private boolean trySpend(CompletableFuture<Decision> decision) {
			Decision spent = Coalescer.this.shortcuts.prefetches().trySpend(this.request);
			if (spent != null) {
				decision.complete(spent);
			}
			return spent != null;
		}

	}

}
