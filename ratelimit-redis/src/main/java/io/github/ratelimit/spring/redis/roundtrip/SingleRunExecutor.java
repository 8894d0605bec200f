package io.github.ratelimit.spring.redis.roundtrip;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.OtherTimeException;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * An executor that gives each request a script run of its own. All counts of a request
 * must be in one slot.
 */
public final class SingleRunExecutor {

	private final ScriptRunner runner;

	private final ScriptCodec codec;

	private final DenialCache denials;

	/** Creates an executor. */
	public SingleRunExecutor(ScriptRunner runner, ScriptCodec codec, DenialCache denials) {
		this.runner = runner;
		this.codec = codec;
		this.denials = denials;
	}

	/** Executes a request and waits for the reply. */
	public Decision execute(StoreRequest request) {
		try {
			return run(request);
		}
		catch (OtherTimeException ex) {
			this.codec.setClock(ex);
			return run(request);
		}
	}

	private Decision run(StoreRequest request) {
		DecisionHandler handler = new DecisionHandler(request, this.denials);
		return this.runner.run(this.codec.encode(request), handler);
	}

	/** Executes a request without blocking, if the driver can. */
	public CompletableFuture<Decision> executeAsync(StoreRequest request) {
		return againAtOtherTime(request, runAsync(request));
	}

	/**
	 * Executes a request of windows of the calendar once more if the clock of Redis is
	 * not in the window in which this instance believed it to be.
	 * @param run the request's first run
	 * @return the decision of the last run
	 */
	public CompletableFuture<Decision> againAtOtherTime(StoreRequest request, CompletableFuture<Decision> run) {
		return ScriptCodec.isOfCalendar(request) ? run.exceptionallyCompose((failure) -> onFailure(request, failure))
				: run;
	}

	private CompletableFuture<Decision> onFailure(StoreRequest request, Throwable failure) {
		if (RedisFailures.of(failure) instanceof OtherTimeException server) {
			this.codec.setClock(server);
			return runAsync(request);
		}
		return CompletableFuture.failedFuture(failure);
	}

	private CompletableFuture<Decision> runAsync(StoreRequest request) {
		DecisionHandler handler = new DecisionHandler(request, this.denials);
		return this.runner.runAsync(this.codec.encode(request), handler);
	}

	private static final class DecisionHandler extends DenialCache.LearningHandler<Decision> {

		private final StoreRequest request;

		DecisionHandler(StoreRequest request, DenialCache denials) {
			super(denials);
			this.request = request;
		}

		@Override
		public Decision onReply(byte[] reply) {
			Decision decision = ScriptCodec.decode(this.request, reply);
			if (this.request.operation() == StoreOperation.ACQUIRE) {
				learn(this.request, decision);
			}
			evictChanged();
			return decision;
		}

		/** Evicts as after a success, as Redis may have executed a run that failed. */
		@Override
		public RuntimeException onFailure(Throwable failure) {
			evictChanged();
			return RedisFailures.of(failure);
		}

		/**
		 * Leaves denials as they are if a call released its permits, as none are cached.
		 */
		private void evictChanged() {
			StoreOperation operation = this.request.operation();
			boolean changes = operation != StoreOperation.ACQUIRE && operation != StoreOperation.PEEK;
			if (changes && !this.request.permits().stream().allMatch((permit) -> permit.limit().isConcurrency())) {
				evict(this.request);
			}
		}

	}

}
