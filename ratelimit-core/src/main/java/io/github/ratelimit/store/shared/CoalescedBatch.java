package io.github.ratelimit.store.shared;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DecisionRuns.EqualRequests;
import org.jspecify.annotations.Nullable;

/**
 * Equal requests that one run decides, in the order in which they came. The run may
 * prefetch permits for others.
 *
 * @param <R> the type of the reply
 */
final class CoalescedBatch<R> extends DenialCache.LearningHandler<R, List<Decision>>
		implements RunQueue.BatchHandler<R, List<Decision>> {

	private final RunQueue<?> queue;

	private final DecisionRuns<R> runs;

	private final StoreRequest request;

	private final List<CompletableFuture<Decision>> pending;

	private final Shortcuts shortcuts;

	private final PrefetchCache prefetches;

	private final @Nullable Prefetch renewed;

	/**
	 * Creates a batch.
	 * @param queue the queue to notify when the run has ended
	 * @param runs the runs, one of which decides the batch
	 * @param request the request
	 * @param pending the pending decisions, in the order in which the requests came
	 */
	CoalescedBatch(RunQueue<?> queue, DecisionRuns<R> runs, StoreRequest request,
			List<CompletableFuture<Decision>> pending, Shortcuts shortcuts) {
		super(shortcuts.denials());
		this.queue = queue;
		this.runs = runs;
		this.request = request;
		this.pending = pending;
		this.shortcuts = shortcuts;
		this.prefetches = shortcuts.prefetches();
		this.renewed = PrefetchCache.isPrefetchable(request) ? this.prefetches.tryRenew(request) : null;
	}

	/**
	 * Starts the run that decides the batch.
	 * @param waited the time that the first request was queued, in nanoseconds
	 */
	void start(long waited) {
		long prefetched = (this.renewed != null) ? PrefetchCache.prefetched(this.request) : 0;
		CompletableFuture<?> unused = this.runs
			.start(new EqualRequests(this.request, this.pending.size(), prefetched, waited), this);
	}

	@Override
	public List<Decision> onReply(R reply) {
		keepPrefetch(reply);
		return this.queue.onReply(this, reply);
	}

	@Override
	public RuntimeException onFailure(Throwable failure) {
		this.queue.runEnded(this.pending.size());
		return fail(failure);
	}

	@Override
	public void onProbe(RuntimeException open) {
		this.queue.fail(open);
	}

	@Override
	public int requests() {
		return this.pending.size();
	}

	/** Completes every decision, or fails all of them if the reply cannot be read. */
	@Override
	public List<Decision> complete(R reply) {
		try {
			List<Decision> decisions = this.runs.decode(this.request, this.pending.size(), reply);
			complete(decisions);
			return decisions;
		}
		catch (RuntimeException ex) {
			throw fail(ex);
		}
	}

	private void complete(List<Decision> decisions) {
		int size = this.pending.size();
		Decision last = decisions.get(size - 1);
		this.shortcuts.learn(this.request, last, this);
		for (int i = 0; i < size; i++) {
			Decision decision = decisions.get(i);
			Decision prefetched = decision.allowed() ? null : this.prefetches.trySpend(this.request);
			this.pending.get(i).complete((prefetched != null) ? prefetched : decision);
		}
	}

	/**
	 * Keeps prefetched permits before any decision completes, so that the next requests
	 * find them.
	 */
	private void keepPrefetch(R reply) {
		if (!PrefetchCache.isPrefetchable(this.request)) {
			return;
		}
		try {
			Decision last = this.runs.decode(this.request, reply);
			if (last.allowed()) {
				long admitted = this.runs.admitted(reply);
				long left = Math.max(0, admitted - this.pending.size());
				this.prefetches.keep(new Prefetch(this.request, last, admitted, left, askedAt()), this.renewed);
				return;
			}
		}
		catch (RuntimeException ex) {
			// The reply is decoded again for the decisions, which fail then
		}
		this.prefetches.abandon(this.renewed);
	}

	/** Fails every decision. */
	RuntimeException fail(Throwable failure) {
		this.prefetches.abandon(this.renewed);
		RuntimeException translated = this.runs.failure(failure);
		this.pending.forEach((decision) -> decision.completeExceptionally(translated));
		return translated;
	}

}
