package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts on Lettuce's own asynchronous commands, which standalone, Sentinel and
 * Cluster connections all offer.
 */
final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	private volatile CompletableFuture<Void> connected = CompletableFuture
		.failedFuture(new IllegalStateException("Nothing has been run yet"));

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	@Override
	public List<Object> run(ScriptCall call) {
		try {
			return runAsync(call).toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	@Override
	public CompletionStage<List<Object>> runAsync(ScriptCall call) {
		CompletableFuture<Void> current = this.connected;
		if (current.isDone() && !current.isCompletedExceptionally()) {
			return send(call);
		}
		return firstConnection().thenCompose((nothing) -> send(call))
			.orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * The first connection, which blocks for as long as Redis accepts it but does not
	 * answer: made by one thread for all calls that wait for it, and anew after a
	 * failure. Lettuce keeps it and reconnects by itself.
	 */
	private synchronized CompletableFuture<Void> firstConnection() {
		if (this.connected.isCompletedExceptionally()) {
			this.connected = CompletableFuture.runAsync(() -> this.connections.getConnection().close(),
					LettuceScriptRunner::inBackground);
		}
		return this.connected;
	}

	private static void inBackground(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	@SuppressWarnings("unchecked")
	private CompletionStage<List<Object>> send(ScriptCall call) {
		RedisConnection connection = this.connections.getConnection();
		var commands = (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
		return evalSha(commands, call)
			.exceptionallyCompose(
					(failure) -> isNoScript(failure) ? eval(commands, call) : CompletableFuture.failedStage(failure))
			.toCompletableFuture()
			.orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((reply, failure) -> connection.close());
	}

	private static CompletionStage<List<Object>> evalSha(RedisClusterAsyncCommands<byte[], byte[]> commands,
			ScriptCall call) {
		return commands.evalsha(call.script().sha1(), ScriptOutputType.MULTI, call.keyBytes(), call.argumentBytes());
	}

	private static CompletionStage<List<Object>> eval(RedisClusterAsyncCommands<byte[], byte[]> commands,
			ScriptCall call) {
		return commands.eval(call.script().bytes(), ScriptOutputType.MULTI, call.keyBytes(), call.argumentBytes());
	}

	private static boolean isNoScript(Throwable failure) {
		return failure instanceof RedisNoScriptException || failure.getCause() instanceof RedisNoScriptException;
	}

}
