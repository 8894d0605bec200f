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
 * Equal requests that one script run decides, in the order in which they came. The run
 * may prefetch permits for others.
 */
public final class CoalescedBatch extends DenialCache.LearningHandler<List<Decision>> {

	private final Batching batching;

	private final StoreRequest request;

	private final List<CompletableFuture<Decision>> pending;

	private final long since;

	private final @Nullable Prefetch renewed;

	/**
	 * Creates a batch.
	 * @param request the request
	 * @param pending the pending decisions, in the order in which the requests came
	 * @param since when the first request came, by {@link ScriptRunner#now}
	 */
	public CoalescedBatch(Batching batching, StoreRequest request, List<CompletableFuture<Decision>> pending,
			long since) {
		super(batching.denials());
		this.batching = batching;
		this.request = request;
		this.pending = pending;
		this.since = since;
		this.renewed = PrefetchCache.isPrefetchable(request) ? this.batching.prefetches().tryRenew(request) : null;
	}

	/** Returns the invocation that decides the batch if it is sent now. */
	public ScriptInvocation encode(ScriptCodec codec, long now) {
		long prefetched = (this.renewed != null) ? PrefetchCache.prefetched(this.request) : 0;
		return codec.encode(this.request, this.pending.size(), prefetched, now - this.since);
	}

	/**
	 * Starts the next run before it completes the decisions, so that Redis works
	 * meanwhile. Without queued requests, it does so after that, for all new requests
	 * that follow at once.
	 */
	@Override
	public List<Decision> onReply(byte[] reply) {
		keepPrefetch(reply);
		boolean hasQueued = this.batching.hasQueued();
		if (hasQueued) {
			this.batching.runEnded(this.pending.size());
		}
		try {
			return complete(reply);
		}
		finally {
			if (!hasQueued) {
				this.batching.runEnded(this.pending.size());
			}
		}
	}

	@Override
	public RuntimeException onFailure(Throwable failure) {
		this.batching.runEnded(this.pending.size());
		return fail(failure);
	}

	@Override
	public void onProbe() {
		this.batching.failQueued();
	}

	/** Completes every decision, or fails all of them if the reply cannot be read. */
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
		if (last.allowed() || !this.batching.prefetches().tryMakeRoom(this.request, last)) {
			learn(this.request, last);
		}
		for (int i = 0; i < size; i++) {
			Decision decision = decisions.get(i);
			Decision prefetched = decision.allowed() ? null : this.batching.prefetches().trySpend(this.request);
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
				this.batching.prefetches()
					.keep(new Prefetch(this.request, last, admitted, left, askedAt()), this.renewed);
				return;
			}
		}
		catch (RuntimeException ex) {
			// The reply is decoded again for the decisions, which fail then
		}
		this.batching.prefetches().abandon(this.renewed);
	}

	/** Fails every decision. */
	RuntimeException fail(Throwable failure) {
		this.batching.prefetches().abandon(this.renewed);
		RuntimeException translated = RedisFailures.of(failure);
		this.pending.forEach((decision) -> decision.completeExceptionally(translated));
		return translated;
	}

}
