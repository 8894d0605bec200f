package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.BatchCodec;
import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.github.ratelimit.store.shared.RunQueue;

/**
 * A batcher of requests for different keys while Redis is busy. Once eight requests in a
 * few runs are in flight, further ones queue until a run returns or the queue fills a
 * batch; then one run decides them. A run costs Redis and the connection about as much as
 * one decision, so a busy Redis decides more requests. It is not for a cluster, where no
 * script can touch several slots.
 */
public final class CrossKeyBatcher {

	/**
	 * The number of requests in flight, for one key or for different keys, from which
	 * Redis is busy; fewer may have a run each.
	 */
	static final int FEW_REQUESTS = 8;

	/**
	 * The number of runs in flight from which Redis is busy, however many requests they
	 * decide.
	 */
	static final int MOST_RUNS = 4;

	/**
	 * The same number while threads wait for the requests: as they wake, they take the
	 * processors from the next runs.
	 */
	static final int MOST_AWAITED_RUNS = 2;

	/** The most requests in a batch, as Redis does nothing else during a run. */
	public static final int LARGEST_BATCH = 32;

	private final Map<String, ScriptQueue> queues = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final int fewRequests;

	private final int mostRuns;

	/** Set once a server that looks standalone replies CROSSSLOT. */
	private volatile boolean disabled;

	/**
	 * Creates a batcher.
	 * @param fewRequests the requests in flight from which on others queue
	 * @param mostRuns the runs in flight from which on others queue
	 */
	CrossKeyBatcher(ScriptRunner runner, int fewRequests, int mostRuns) {
		this.runner = runner;
		this.fewRequests = fewRequests;
		this.mostRuns = mostRuns;
	}

	/** Runs a script as {@link ScriptRunner#runAsync} does, perhaps in a batch. */
	<T> CompletableFuture<T> run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		DecisionScript script = invocation.script();
		return (script.oneByOne() != null && !this.disabled) ? queue(script.sha1()).run(invocation, handler)
				: this.runner.runAsync(invocation, handler);
	}

	private ScriptQueue queue(String script) {
		ScriptQueue known = this.queues.get(script);
		return (known != null) ? known : this.queues.computeIfAbsent(script, (missing) -> new ScriptQueue());
	}

	/** The queue of the requests of one script. */
	private final class ScriptQueue extends RunQueue<QueuedInvocation<?>> {

		ScriptQueue() {
			super(CrossKeyBatcher.this.runner::now);
		}

		<T> CompletableFuture<T> run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			if (tryReserve()) {
				return startSingle(invocation, handler);
			}
			QueuedInvocation<T> last = new QueuedInvocation<>(invocation, handler);
			add(last);
			return last;
		}

		/** A full batch has room, as a distant Redis is not a busy one. */
		@Override
		protected boolean hasRoom(int runs, int requests, int queued) {
			return runs < CrossKeyBatcher.this.mostRuns || requests < CrossKeyBatcher.this.fewRequests
					|| queued >= LARGEST_BATCH;
		}

		private <T> CompletableFuture<T> startSingle(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			try {
				return CrossKeyBatcher.this.runner.runAsync(invocation, new SingleHandler<>(this, handler));
			}
			catch (RuntimeException | Error ex) {
				runEnded(1);
				throw ex;
			}
		}

		@Override
		protected int tryStart(Batch<QueuedInvocation<?>> queued) {
			List<QueuedInvocation<?>> batch = queued.requests();
			if (batch.removeIf(QueuedInvocation::tryDrop) && batch.isEmpty()) {
				return 0;
			}
			try {
				long waited = CrossKeyBatcher.this.runner.now() - queued.since();
				ScriptInvocation invocation = BatchCodec
					.encode(batch.stream().map(QueuedInvocation::invocation).toList(), waited);
				CompletableFuture<?> unused = CrossKeyBatcher.this.runner.runAsync(invocation,
						new InvocationsHandler(this, batch));
				return batch.size();
			}
			catch (RuntimeException | Error ex) {
				batch.forEach((request) -> request.fail(ex));
				return 0;
			}
		}

	}

	/**
	 * A handler that starts the next run before it completes its request, so that Redis
	 * works meanwhile.
	 */
	private static final class SingleHandler<T> implements ReplyHandler<byte[], T> {

		private final ScriptQueue queue;

		private final ReplyHandler<byte[], T> handler;

		SingleHandler(ScriptQueue queue, ReplyHandler<byte[], T> handler) {
			this.queue = queue;
			this.handler = handler;
		}

		@Override
		public T onReply(byte[] reply) {
			this.queue.runEnded(1);
			return this.handler.onReply(reply);
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			this.queue.runEnded(1);
			return this.handler.onFailure(failure);
		}

		@Override
		public void onProbe(RuntimeException open) {
			this.handler.onProbe(open);
		}

	}

	/** A handler of a run for several invocations, which completes each of them. */
	private final class InvocationsHandler implements RunQueue.BatchHandler<byte[], Integer> {

		private final ScriptQueue queue;

		private final List<QueuedInvocation<?>> batch;

		InvocationsHandler(ScriptQueue queue, List<QueuedInvocation<?>> batch) {
			this.queue = queue;
			this.batch = batch;
		}

		@Override
		public Integer onReply(byte[] reply) {
			return this.queue.onReply(this, reply);
		}

		@Override
		public int requests() {
			return this.batch.size();
		}

		@Override
		public Integer complete(byte[] reply) {
			int size = this.batch.size();
			for (int i = 0; i < size; i++) {
				this.batch.get(i).complete(reply, i, size);
			}
			return size;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			this.queue.runEnded(this.batch.size());
			if (RedisFailures.isReply(failure, "CROSSSLOT")) {
				CrossKeyBatcher.this.disabled = true;
				this.batch.forEach((queued) -> queued.start(CrossKeyBatcher.this.runner));
			}
			else {
				this.batch.forEach((queued) -> queued.fail(failure));
			}
			return RedisFailures.of(failure);
		}

		@Override
		public void onProbe(RuntimeException open) {
			this.batch.forEach((queued) -> queued.onProbe(open));
		}

	}

}
