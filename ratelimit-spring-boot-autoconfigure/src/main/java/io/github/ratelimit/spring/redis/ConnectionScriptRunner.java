package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Runs scripts on any blocking driver that Spring Data Redis knows, such as Jedis. What
 * must not block goes to the common pool.
 */
final class ConnectionScriptRunner implements ScriptRunner {

	private final RedisConnectionFactory connections;

	ConnectionScriptRunner(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	@Override
	public List<Object> run(ScriptCall call) {
		byte[][] keysAndArguments = keysAndArguments(call);
		int keys = call.keys().size();
		try (RedisConnection connection = this.connections.getConnection()) {
			return answered(connection.scriptingCommands()
				.evalSha(call.script().sha1(), ReturnType.MULTI, keys, keysAndArguments));
		}
		catch (DataAccessException ex) {
			if (!Failures.isReply(ex, "NOSCRIPT")) {
				throw ex;
			}
		}
		try (RedisConnection connection = this.connections.getConnection()) {
			return answered(connection.scriptingCommands()
				.eval(call.script().bytes(), ReturnType.MULTI, keys, keysAndArguments));
		}
	}

	@Override
	public CompletionStage<List<Object>> runAsync(ScriptCall call) {
		return CompletableFuture.supplyAsync(() -> run(call));
	}

	@Override
	public void connect() {
		try (RedisConnection connection = this.connections.getConnection()) {
			connection.ping();
		}
	}

	@Override
	public boolean isClustered() {
		try (RedisConnection connection = this.connections.getConnection()) {
			return connection instanceof RedisClusterConnection;
		}
	}

	private static byte[][] keysAndArguments(ScriptCall call) {
		return Stream.concat(Stream.of(call.keyBytes()), Stream.of(call.argumentBytes())).toArray(byte[][]::new);
	}

	private static List<Object> answered(@Nullable List<Object> reply) {
		if (reply == null) {
			throw new IllegalStateException("Redis did not answer: the connection must not be in a transaction");
		}
		return reply;
	}

}
