package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DecisionRuns;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.jspecify.annotations.Nullable;

/**
 * Runs of scripts that decide requests. Without a cluster, one run may decide requests
 * for different keys.
 */
public final class ScriptRuns implements DecisionRuns<byte[]> {

	private final ScriptRunner runner;

	private final ScriptCodec codec;

	/** Batches requests for different keys; {@code null} for none. */
	private final @Nullable CrossKeyBatcher batcher;

	/** Batches those that threads wait for. */
	private final @Nullable CrossKeyBatcher awaitedBatcher;

	/** Creates runs. */
	public ScriptRuns(ScriptRunner runner, ScriptCodec codec) {
		this.runner = runner;
		this.codec = codec;
		this.batcher = batcher(runner, CrossKeyBatcher.MOST_RUNS);
		this.awaitedBatcher = batcher(runner, CrossKeyBatcher.MOST_AWAITED_RUNS);
	}

	/**
	 * Returns no batcher for a cluster, nor for a driver that blocks, as that would
	 * connect to look for one.
	 */
	private static @Nullable CrossKeyBatcher batcher(ScriptRunner runner, int mostRuns) {
		return (runner.blocks() || runner.isClustered()) ? null
				: new CrossKeyBatcher(runner, CrossKeyBatcher.FEW_REQUESTS, mostRuns);
	}

	@Override
	public <T> CompletableFuture<T> start(StoreRequest request, boolean isAwaited, ReplyHandler<byte[], T> handler) {
		CrossKeyBatcher batcher = isAwaited ? this.awaitedBatcher : this.batcher;
		return (batcher != null) ? batcher.run(this.codec.encode(request), handler)
				: this.runner.runAsync(this.codec.encode(request), handler);
	}

	@Override
	public <T> CompletableFuture<T> start(EqualRequests equal, ReplyHandler<byte[], T> handler) {
		return this.runner.runAsync(
				this.codec.encode(equal.request(), equal.requests(), equal.prefetched(), equal.waited()), handler);
	}

	@Override
	public Decision decode(StoreRequest request, byte[] reply) {
		return ScriptCodec.decode(request, reply);
	}

	@Override
	public List<Decision> decode(StoreRequest request, int requests, byte[] reply) {
		return ScriptCodec.decode(request, requests, reply);
	}

	@Override
	public long admitted(byte[] reply) {
		return ScriptCodec.admitted(reply);
	}

	@Override
	public RateLimitStoreException failure(Throwable failure) {
		return RedisFailures.of(failure);
	}

	@Override
	public long now() {
		return this.runner.now();
	}

}
