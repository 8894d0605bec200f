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
	@SuppressWarnings("unchecked")
	public CompletionStage<List<Object>> runAsync(ScriptCall call) {
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
