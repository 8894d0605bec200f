package io.github.ratelimit.spring.redis.driver;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.Delays;
import io.github.ratelimit.store.shared.PendingRun;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * A run of a script that is in flight, and its result. It is sent again only if Redis
 * replied that it did not execute it and the result is still awaited.
 *
 * @param <T> the type of the result
 */
final class PendingLettuceRun<T> extends PendingRun<byte[], T>
		implements BiConsumer<byte @Nullable [], @Nullable Throwable> {

	/**
	 * The delay of a retry while a slot moves. The keys of a slot are apart for about as
	 * long as it takes to move one.
	 */
	private static final long MOVE_MILLIS = 5;

	private final ScriptInvocation invocation;

	private @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

	PendingLettuceRun(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		super(handler, invocation.waited());
		this.invocation = invocation;
	}

	void start(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		this.commands = commands;
		send(commands, false);
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

	private CompletionStage<byte[]> evalSha(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.evalsha(this.invocation.script().sha1(), ScriptOutputType.VALUE, this.invocation.keys(),
				this.invocation.arguments());
	}

	private CompletionStage<byte[]> eval(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.eval(this.invocation.script().bytes(), ScriptOutputType.VALUE, this.invocation.keys(),
				this.invocation.arguments());
	}

}
