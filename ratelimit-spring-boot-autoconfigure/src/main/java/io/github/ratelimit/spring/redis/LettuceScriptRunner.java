package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts on Lettuce's own asynchronous commands, which standalone, Sentinel and
 * Cluster connections all offer. Keeps one connection, which Lettuce mends by itself.
 */
final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceConnectionFactory connections;

	private final Deadlines deadlines;

	private volatile CompletableFuture<Connection> connection = CompletableFuture
		.failedFuture(new IllegalStateException("Nothing has been run yet"));

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this(connections, timeout, Runnable::run);
	}

	/**
	 * Runs scripts on a connection that others may share.
	 * @param afterReading runs a task once all replies have been read that arrived before
	 */
	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout, Executor afterReading) {
		this.connections = connections;
		this.deadlines = new Deadlines(timeout, afterReading);
	}

	@Override
	public <T> T run(ScriptCall call, ReplyReader<T> reader) {
		return joined(runAsync(call, reader));
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
		LettuceScriptRun<T> run = new LettuceScriptRun<>(call, reader);
		CompletableFuture<Connection> current = connection();
		if (current.isDone() && !current.isCompletedExceptionally()) {
			run.start(current.join().commands());
			end(run);
		}
		else {
			end(run);
			startWhenConnected(run, current);
		}
		return run;
	}

	/** The time that a caller takes to send it does not count. */
	private void end(LettuceScriptRun<?> run) {
		if (!run.isOver()) {
			this.deadlines.add(run);
		}
	}

	@Override
	public long now() {
		return this.deadlines.now();
	}

	private static void startWhenConnected(LettuceScriptRun<?> run, CompletableFuture<Connection> connecting) {
		CompletableFuture<?> unused = connecting.whenComplete((connection, failure) -> {
			if (failure != null) {
				run.fail(failure);
			}
			else {
				run.start(connection.commands());
			}
		});
	}

	/** Connects on this thread where none does yet. */
	@Override
	public void connect() {
		joined(connection(Runnable::run));
	}

	@Override
	public void load(DecisionScript script) {
		connection(Runnable::run).join().commands().scriptLoad(script.bytes()).toCompletableFuture().join();
	}

	@Override
	public boolean isClustered() {
		return this.connections.isClusterAware();
	}

	@Override
	public String server(ScriptCall call) {
		Partitions cluster = cluster();
		if (cluster == null || call.keys().length == 0) {
			return ONLY_SERVER;
		}
		int slot = SlotHash.getSlot(call.keys()[0]);
		RedisClusterNode node = cluster.getMasterBySlot(slot);
		return (node != null) ? node.getNodeId() : ONLY_SERVER;
	}

	@Override
	public Collection<String> servers() {
		Partitions cluster = cluster();
		return (cluster != null) ? cluster.stream().map(RedisClusterNode::getNodeId).toList() : List.of(ONLY_SERVER);
	}

	/**
	 * In a cluster a dead node is replaced, so finding its successor is what helps; the
	 * connections to the other nodes are good.
	 */
	@Override
	public synchronized void reconnect() {
		if (cluster() != null) {
			((RedisClusterClient) this.connections.getRequiredNativeClient()).refreshPartitionsAsync();
		}
		else if (this.connection.isDone()) {
			CompletableFuture<Connection> old = this.connection;
			this.connection = new CompletableFuture<Connection>().completeAsync(() -> {
				end(old);
				if (this.connections instanceof OwnConnections own) {
					own.resetConnection();
				}
				return connectNow();
			}, LettuceScriptRunner::inBackground);
		}
	}

	@Override
	public void close() {
		end(this.connection);
		if (this.connections instanceof OwnConnections own) {
			own.destroy();
		}
	}

	private CompletableFuture<Connection> connection() {
		return connection(LettuceScriptRunner::inBackground);
	}

	/**
	 * The first connection, which blocks for as long as Redis accepts it but does not
	 * answer: made by one thread for all calls that wait for it, and again after a
	 * failure.
	 */
	private CompletableFuture<Connection> connection(Executor thread) {
		CompletableFuture<Connection> current = this.connection;
		if (!current.isCompletedExceptionally()) {
			return current;
		}
		CompletableFuture<Connection> next = new CompletableFuture<>();
		synchronized (this) {
			if (!this.connection.isCompletedExceptionally()) {
				return this.connection;
			}
			this.connection = next;
		}
		return next.completeAsync(this::connectNow, thread);
	}

	@SuppressWarnings("unchecked")
	private Connection connectNow() {
		RedisConnection connection = this.connections.getConnection();
		return new Connection(connection, (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
	}

	/** Who has which slots, if this is a cluster and known. */
	private @Nullable Partitions cluster() {
		CompletableFuture<Connection> current = this.connection;
		boolean connected = current.isDone() && !current.isCompletedExceptionally();
		return (connected && this.connections.getRequiredNativeClient() instanceof RedisClusterClient client)
				? client.getPartitions() : null;
	}

	private static void end(CompletionStage<Connection> connection) {
		connection.thenAccept(Connection::close);
	}

	private static void inBackground(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	private static <T> T joined(CompletableFuture<T> future) {
		try {
			return future.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private record Connection(RedisConnection held, RedisClusterAsyncCommands<byte[], byte[]> commands) {

		void close() {
			this.held.close();
		}

	}

}
