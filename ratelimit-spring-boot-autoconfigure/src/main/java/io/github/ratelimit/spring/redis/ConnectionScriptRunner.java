package io.github.ratelimit.spring.redis;

import java.util.concurrent.CompletableFuture;
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
	public <T> T run(ScriptCall call, ReplyReader<T> reader) {
		byte[] reply;
		try {
			reply = reply(call);
		}
		catch (RuntimeException ex) {
			throw reader.failed(ex);
		}
		return reader.read(reply);
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
		return CompletableFuture.supplyAsync(() -> run(call, reader));
	}

	private byte[] reply(ScriptCall call) {
		byte[][] keysAndArguments = keysAndArguments(call);
		int keys = call.keys().length;
		try (RedisConnection connection = this.connections.getConnection()) {
			return answered(connection.scriptingCommands()
				.evalSha(call.script().sha1(), ReturnType.VALUE, keys, keysAndArguments));
		}
		catch (DataAccessException ex) {
			if (!Failures.isReply(ex, "NOSCRIPT")) {
				throw ex;
			}
		}
		try (RedisConnection connection = this.connections.getConnection()) {
			return answered(connection.scriptingCommands()
				.eval(call.script().bytes(), ReturnType.VALUE, keys, keysAndArguments));
		}
	}

	@Override
	public void connect() {
		try (RedisConnection connection = this.connections.getConnection()) {
			connection.ping();
		}
	}

	@Override
	public boolean blocks() {
		return true;
	}

	@Override
	public boolean isClustered() {
		try (RedisConnection connection = this.connections.getConnection()) {
			return connection instanceof RedisClusterConnection;
		}
	}

	private static byte[][] keysAndArguments(ScriptCall call) {
		return Stream.concat(Stream.of(call.keys()), Stream.of(call.arguments())).toArray(byte[][]::new);
	}

	private static byte[] answered(byte @Nullable [] reply) {
		if (reply == null) {
			throw new IllegalStateException("Redis did not answer: the connection must not be in a transaction");
		}
		return reply;
	}

}
