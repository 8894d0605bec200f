package io.github.ratelimit.spring.redis.driver;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * A script runner on any blocking driver of Spring Data Redis, such as Jedis.
 * Asynchronous runs use the common pool.
 */
public final class BlockingScriptRunner implements ScriptRunner {

	private final RedisConnectionFactory connections;

	/** Whether this is a cluster; {@code null} before the first connection. */
	private volatile @Nullable Boolean clustered;

	/** Creates a runner on connections of any driver. */
	public BlockingScriptRunner(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	@Override
	public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		byte[] reply;
		try {
			reply = reply(invocation);
		}
		catch (RuntimeException ex) {
			throw handler.onFailure(ex);
		}
		return handler.onReply(reply);
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		return CompletableFuture.supplyAsync(() -> run(invocation, handler));
	}

	private byte[] reply(ScriptInvocation invocation) {
		byte[][] keysAndArguments = keysAndArguments(invocation);
		int keys = invocation.keys().length;
		try (RedisConnection connection = this.connections.getConnection()) {
			return requireReply(connection.scriptingCommands()
				.evalSha(invocation.script().sha1(), ReturnType.VALUE, keys, keysAndArguments));
		}
		catch (DataAccessException ex) {
			if (!RedisFailures.isReply(ex, "NOSCRIPT")) {
				throw ex;
			}
		}
		try (RedisConnection connection = this.connections.getConnection()) {
			return requireReply(connection.scriptingCommands()
				.eval(invocation.script().bytes(), ReturnType.VALUE, keys, keysAndArguments));
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
		Boolean known = this.clustered;
		if (known == null) {
			try (RedisConnection connection = this.connections.getConnection()) {
				known = connection instanceof RedisClusterConnection;
			}
			this.clustered = known;
		}
		return known;
	}

	private static byte[][] keysAndArguments(ScriptInvocation invocation) {
		return Stream.concat(Stream.of(invocation.keys()), Stream.of(invocation.arguments())).toArray(byte[][]::new);
	}

	private static byte[] requireReply(byte @Nullable [] reply) {
		if (reply == null) {
			throw new IllegalStateException("Redis did not answer: the connection must not be in a transaction");
		}
		return reply;
	}

}
