package io.github.ratelimit.spring.redis.driver;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;

import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.Delays;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * A run of a script that is in flight, and its result. It is sent again only if Redis
 * replied that it did not execute it and the result is still awaited.
 *
 * @param <T> the type of the result
 */
final class PendingLettuceRun<T> extends CompletableFuture<T>
		implements BiConsumer<byte @Nullable [], @Nullable Throwable> {

	/**
	 * The delay of a retry while a slot moves. The keys of a slot are apart for about as
	 * long as it takes to move one.
	 */
	private static final long MOVE_MILLIS = 5;

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<PendingLettuceRun> ENDED = AtomicIntegerFieldUpdater
		.newUpdater(PendingLettuceRun.class, "ended");

	private final ScriptInvocation invocation;

	private final ReplyHandler<T> handler;

	private @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

	private long deadline;

	private volatile int ended;

	PendingLettuceRun(ScriptInvocation invocation, ReplyHandler<T> handler) {
		this.invocation = invocation;
		this.handler = handler;
	}

	/** Returns the time that the first of its requests was queued, in nanoseconds. */
	long waited() {
		return this.invocation.waited();
	}

	/** Returns when it times out, by the time of {@link RunTimeouts}. */
	long deadline() {
		return this.deadline;
	}

	/** Sets when it times out, before another thread sees this run. */
	void setDeadline(long deadline) {
		this.deadline = deadline;
	}

	/**
	 * Returns whether the handler was notified, even if the result is awaited no more.
	 */
	boolean isEnded() {
		return this.ended != 0;
	}

	void start(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		this.commands = commands;
		send(commands, false);
	}

	void fail(Throwable failure) {
		if (ENDED.compareAndSet(this, 0, 1)) {
			try {
				completeExceptionally(this.handler.onFailure(failure));
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}
	}

	/**
	 * Sends the script by its hash or as a whole, unless the result is awaited no more.
	 */
	private void send(RedisClusterAsyncCommands<byte[], byte[]> commands, boolean whole) {
		if (isDone()) {
			fail(new CancellationException());
			return;
		}
		try {
			CompletionStage<byte[]> reply = whole ? eval(commands) : evalSha(commands);
			reply.whenComplete(this);
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	@Override
	public void accept(byte @Nullable [] reply, @Nullable Throwable failure) {
		if (reply != null) {
			read(reply);
		}
		else if (failure == null) {
			fail(new IllegalStateException("Redis replied with nothing"));
		}
		else if (RedisFailures.isReply(failure, "NOSCRIPT")) {
			send(Objects.requireNonNull(this.commands), true);
		}
		else if (RedisFailures.isReply(failure, "TRYAGAIN")) {
			CompletableFuture<?> unused = Delays.after(MOVE_MILLIS, TimeUnit.MILLISECONDS)
				.thenRunAsync(() -> send(Objects.requireNonNull(this.commands), false));
		}
		else {
			fail(failure);
		}
	}

	private void read(byte[] reply) {
		if (ENDED.compareAndSet(this, 0, 1)) {
			try {
				complete(this.handler.onReply(reply));
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}
		else {
			this.handler.onLateReply();
		}
	}

	private CompletionStage<byte[]> evalSha(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.evalsha(this.invocation.script().sha1(), ScriptOutputType.VALUE, this.invocation.keys(),
				this.invocation.arguments());
	}

	private CompletionStage<byte[]> eval(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.eval(this.invocation.script().bytes(), ScriptOutputType.VALUE, this.invocation.keys(),
				this.invocation.arguments());
	}

}
