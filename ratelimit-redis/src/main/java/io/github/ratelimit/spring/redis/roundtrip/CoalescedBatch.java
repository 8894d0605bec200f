package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * Equal requests that one script run decides, in the order in which they came. The run
 * may prefetch permits for others.
 */
final class CoalescedBatch extends DenialCache.LearningHandler<List<Decision>>
		implements RunQueue.BatchHandler<List<Decision>> {

	private final RunQueue<?> queue;

	private final StoreRequest request;

	private final List<CompletableFuture<Decision>> pending;

	private final PrefetchCache prefetches;

	private final @Nullable Prefetch renewed;

	/**
	 * Creates a batch.
	 * @param queue the queue to notify when the run has ended
	 * @param request the request
	 * @param pending the pending decisions, in the order in which the requests came
	 */
	CoalescedBatch(RunQueue<?> queue, StoreRequest request, List<CompletableFuture<Decision>> pending,
			DenialCache denials, PrefetchCache prefetches) {
		super(denials);
		this.queue = queue;
		this.request = request;
		this.pending = pending;
		this.prefetches = prefetches;
		this.renewed = PrefetchCache.isPrefetchable(request) ? prefetches.tryRenew(request) : null;
	}

	/**
	 * Returns the invocation that decides the batch.
	 * @param waited the time that the first request was queued, in nanoseconds
	 */
	ScriptInvocation encode(ScriptCodec codec, long waited) {
		long prefetched = (this.renewed != null) ? PrefetchCache.prefetched(this.request) : 0;
		return codec.encode(this.request, this.pending.size(), prefetched, waited);
	}

	@Override
	public List<Decision> onReply(byte[] reply) {
		keepPrefetch(reply);
		return this.queue.onReply(this, reply);
	}

	@Override
	public RuntimeException onFailure(Throwable failure) {
		this.queue.runEnded(this.pending.size());
		return fail(failure);
	}

	@Override
	public void onProbe() {
		this.queue.fail(RedisFailures.circuitOpen());
	}

	@Override
	public int requests() {
		return this.pending.size();
	}

	/** Completes every decision, or fails all of them if the reply cannot be read. */
	@Override
	public List<Decision> complete(byte[] reply) {
		try {
			List<Decision> decisions = ScriptCodec.decode(this.request, this.pending.size(), reply);
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
		if (last.allowed() || !this.prefetches.tryMakeRoom(this.request, last)) {
			learn(this.request, last);
		}
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
	private void keepPrefetch(byte[] reply) {
		if (!PrefetchCache.isPrefetchable(this.request)) {
			return;
		}
		try {
			Decision last = ScriptCodec.decode(this.request, reply);
			if (last.allowed()) {
				long admitted = ScriptCodec.admitted(reply);
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
		RuntimeException translated = RedisFailures.of(failure);
		this.pending.forEach((decision) -> decision.completeExceptionally(translated));
		return translated;
	}

}
