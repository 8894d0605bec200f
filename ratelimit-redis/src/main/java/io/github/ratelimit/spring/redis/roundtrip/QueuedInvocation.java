package io.github.ratelimit.spring.redis.roundtrip;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.BatchCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.jspecify.annotations.Nullable;

/**
 * An invocation that is queued for a batch, and its result.
 *
 * @param <T> the type of the result
 */
final class QueuedInvocation<T> extends CompletableFuture<T> {

	private final ScriptInvocation invocation;

	private final ReplyHandler<byte[], T> handler;

	QueuedInvocation(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		this.invocation = invocation;
		this.handler = handler;
	}

	ScriptInvocation invocation() {
		return this.invocation;
	}

	/** Fails the handler and returns true if the result is awaited no more. */
	boolean tryDrop() {
		if (isDone()) {
			fail(new CancellationException());
			return true;
		}
		return false;
	}

	/** Starts a run for this invocation alone. */
	void start(ScriptRunner runner) {
		try {
			CompletableFuture<?> unused = runner.runAsync(this.invocation, this.handler).whenComplete(this::end);
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	private void end(T result, @Nullable Throwable failure) {
		if (failure != null) {
			completeExceptionally(failure);
		}
		else {
			complete(result);
		}
	}

	/**
	 * Completes with a part of the reply to a batch. Fails if the script failed for it or
	 * the reply cannot be read.
	 */
	void complete(byte[] reply, int index, int size) {
		byte[] part;
		try {
			part = BatchCodec.decode(reply, index, size);
		}
		catch (RuntimeException ex) {
			fail(ex);
			return;
		}
		if (part == null) {
			fail(new IllegalStateException("The script failed for this request"));
		}
		else {
			complete(part);
		}
	}

	private void complete(byte[] part) {
		try {
			complete(this.handler.onReply(part));
		}
		catch (RuntimeException | Error ex) {
			completeExceptionally(ex);
		}
	}

	void onProbe(RuntimeException open) {
		this.handler.onProbe(open);
	}

	void fail(Throwable failure) {
		try {
			completeExceptionally(this.handler.onFailure(failure));
		}
		catch (RuntimeException | Error ex) {
			completeExceptionally(ex);
		}
	}

}
