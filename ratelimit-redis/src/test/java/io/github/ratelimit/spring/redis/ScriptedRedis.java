package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.jspecify.annotations.Nullable;

/** A runner that replies when a test lets it, in the order in which the runs came. */
public final class ScriptedRedis implements ScriptRunner {

	private final List<ScriptInvocation> invocations = new ArrayList<>();

	private final List<Run<?>> runs = new ArrayList<>();

	private final boolean clustered;

	private @Nullable Throwable rejection;

	private long now;

	/** Creates a runner of one server or of a cluster. */
	public ScriptedRedis(boolean clustered) {
		this.clustered = clustered;
	}

	@Override
	public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		if (this.rejection instanceof Error error) {
			throw error;
		}
		if (this.rejection instanceof RuntimeException exception) {
			throw exception;
		}
		this.invocations.add(invocation);
		Run<T> run = new Run<>(invocation, handler, new CompletableFuture<>());
		this.runs.add(run);
		return run.result;
	}

	@Override
	public long now() {
		return this.now;
	}

	@Override
	public void connect() {
	}

	@Override
	public boolean isClustered() {
		return this.clustered;
	}

	/** Sets the exception or error that it throws instead of a run, if any. */
	public void reject(@Nullable Throwable rejection) {
		this.rejection = rejection;
	}

	/** Sets the time. */
	public void setNow(long now) {
		this.now = now;
	}

	/** Returns the number of requests of each run so far. */
	public List<Integer> requestsPerRun() {
		return this.invocations.stream().map(ScriptInvocation::requests).toList();
	}

	/** Returns the number of requests of each run in flight. */
	public List<Integer> inFlight() {
		return this.runs.stream().map((run) -> run.invocation.requests()).toList();
	}

	/** Returns the last invocation. */
	public ScriptInvocation lastInvocation() {
		return this.invocations.get(this.invocations.size() - 1);
	}

	/** Replies to the first run in flight. */
	public void reply(Reply reply) {
		this.runs.remove(0).reply(reply.bytes());
	}

	/** Fails the first run in flight. */
	public void fail(RuntimeException failure) {
		this.runs.remove(0).fail(failure);
	}

	/** Fails the last run in flight. */
	public void failLast(RuntimeException failure) {
		this.runs.remove(this.runs.size() - 1).fail(failure);
	}

	private record Run<T>(ScriptInvocation invocation, ReplyHandler<byte[], T> handler, CompletableFuture<T> result) {

		void reply(byte[] reply) {
			try {
				this.result.complete(this.handler.onReply(reply));
			}
			catch (RuntimeException ex) {
				this.result.completeExceptionally(ex);
			}
		}

		void fail(RuntimeException failure) {
			this.result.completeExceptionally(this.handler.onFailure(failure));
		}

	}

}
