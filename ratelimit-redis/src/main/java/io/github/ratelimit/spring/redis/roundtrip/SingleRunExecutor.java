package io.github.ratelimit.spring.redis.roundtrip;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.OtherTimeException;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DecisionHandler;
import io.github.ratelimit.store.shared.DecisionRuns;
import io.github.ratelimit.store.shared.DenialCache;

/**
 * An executor that gives each request a script run of its own. All counts of a request
 * must be in one slot.
 */
public final class SingleRunExecutor {

	private final ScriptRunner runner;

	private final ScriptCodec codec;

	private final DecisionRuns<byte[]> runs;

	private final DenialCache denials;

	/** Creates an executor. */
	public SingleRunExecutor(ScriptRunner runner, ScriptCodec codec, DecisionRuns<byte[]> runs, DenialCache denials) {
		this.runner = runner;
		this.codec = codec;
		this.runs = runs;
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
		DecisionHandler<byte[]> handler = new DecisionHandler<>(this.runs, request, this.denials);
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
		DecisionHandler<byte[]> handler = new DecisionHandler<>(this.runs, request, this.denials);
		return this.runner.runAsync(this.codec.encode(request), handler);
	}

}
