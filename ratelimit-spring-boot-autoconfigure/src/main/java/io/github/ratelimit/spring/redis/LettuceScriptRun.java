package io.github.ratelimit.spring.redis;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;

import io.github.ratelimit.store.Delays;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * What is read from one run of a script, which is sent again only where Redis has said
 * that it did not run, and only while someone waits for it.
 *
 * @param <T> what is read
 */
final class LettuceScriptRun<T> extends CompletableFuture<T> implements BiConsumer<byte[], @Nullable Throwable> {

	/**
	 * While a slot moves, its keys are apart for about as long as it takes to move one.
	 */
	private static final long MOVE_MILLIS = 5;

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<LettuceScriptRun> OVER = AtomicIntegerFieldUpdater
		.newUpdater(LettuceScriptRun.class, "over");

	private final ScriptCall call;

	private final ReplyReader<T> reader;

	private @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

	private long end;

	private volatile int over;

	LettuceScriptRun(ScriptCall call, ReplyReader<T> reader) {
		this.call = call;
		this.reader = reader;
	}

	/** How long the first of its calls has waited, in nanoseconds. */
	long waited() {
		return this.call.waited();
	}

	/** When its time is over, by the time that counts. */
	long end() {
		return this.end;
	}

	/** Is called before any other thread sees this. */
	void endAt(long end) {
		this.end = end;
	}

	/** Whether the reader was told, even where nobody waits for it any more. */
	boolean isOver() {
		return this.over != 0;
	}

	void start(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		this.commands = commands;
		send(commands, false);
	}

	void fail(Throwable failure) {
		if (OVER.compareAndSet(this, 0, 1)) {
			completeExceptionally(this.reader.failed(failure));
		}
	}

	/** By name, or with the whole text. */
	private void send(RedisClusterAsyncCommands<byte[], byte[]> commands, boolean whole) {
		if (isDone()) {
			fail(new CancellationException());
			return;
		}
		try {
			CompletionStage<byte[]> answer = whole ? eval(commands) : evalSha(commands);
			answer.whenComplete(this);
		}
		catch (RuntimeException ex) {
			fail(ex);
		}
	}

	@Override
	public void accept(byte[] reply, @Nullable Throwable failure) {
		if (failure == null) {
			read(reply);
		}
		else if (Failures.isReply(failure, "NOSCRIPT")) {
			send(Objects.requireNonNull(this.commands), true);
		}
		else if (Failures.isReply(failure, "TRYAGAIN")) {
			CompletableFuture<?> unused = Delays.after(MOVE_MILLIS, TimeUnit.MILLISECONDS)
				.thenRunAsync(() -> send(Objects.requireNonNull(this.commands), false));
		}
		else {
			fail(failure);
		}
	}

	private void read(byte[] reply) {
		if (OVER.compareAndSet(this, 0, 1)) {
			try {
				complete(this.reader.read(reply));
			}
			catch (RuntimeException ex) {
				completeExceptionally(ex);
			}
		}
		else {
			this.reader.readTooLate();
		}
	}

	private CompletionStage<byte[]> evalSha(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.evalsha(this.call.script().sha1(), ScriptOutputType.VALUE, this.call.keys(),
				this.call.arguments());
	}

	private CompletionStage<byte[]> eval(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands.eval(this.call.script().bytes(), ScriptOutputType.VALUE, this.call.keys(),
				this.call.arguments());
	}

}
