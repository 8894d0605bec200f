package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.github.ratelimit.store.shared.RunTimeouts;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A script runner on the asynchronous commands of Lettuce, which standalone, Sentinel and
 * Cluster connections all have. It keeps one connection, which Lettuce reconnects.
 */
public final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceConnectionFactory connections;

	private final RunTimeouts timeouts;

	private volatile CompletableFuture<Connection> connection = notConnected();

	/** Creates a runner whose timeouts do not wait for replies to be read. */
	public LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this(connections, timeout, Runnable::run);
	}

	/**
	 * Creates a runner on a connection that others may share.
	 * @param afterReading runs a task after all replies that arrived before it have been
	 * read
	 */
	public LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout, Executor afterReading) {
		this.connections = connections;
		this.timeouts = new RunTimeouts(timeout, afterReading);
	}

	@Override
	public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		return joined(runAsync(invocation, handler));
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		PendingLettuceRun<T> run = new PendingLettuceRun<>(invocation, handler);
		CompletableFuture<Connection> current = connection();
		if (current.isDone() && !current.isCompletedExceptionally()) {
			run.start(current.join().commands());
			startTimeout(run);
		}
		else {
			startTimeout(run);
			startWhenConnected(run, current);
		}
		return run;
	}

	/**
	 * Starts the timeout of a run, after it was sent: the time that sending takes does
	 * not count.
	 */
	private void startTimeout(PendingLettuceRun<?> run) {
		if (!run.isEnded()) {
			this.timeouts.add(run);
		}
	}

	@Override
	public long now() {
		return this.timeouts.now();
	}

	private static void startWhenConnected(PendingLettuceRun<?> run, CompletableFuture<Connection> connecting) {
		CompletableFuture<?> unused = connecting.whenComplete((connection, failure) -> {
			if (failure != null) {
				run.fail(failure);
			}
			else {
				run.start(connection.commands());
			}
		});
	}

	/** Connects on this thread, unless another thread does. */
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
	public String server(ScriptInvocation invocation) {
		Partitions cluster = cluster();
		if (cluster == null || invocation.keys().length == 0) {
			return ONLY_SERVER;
		}
		int slot = SlotHash.getSlot(invocation.keys()[0]);
		RedisClusterNode node = cluster.getMasterBySlot(slot);
		return (node != null) ? node.getNodeId() : ONLY_SERVER;
	}

	@Override
	public Collection<String> servers() {
		Partitions cluster = cluster();
		return (cluster != null) ? cluster.stream().map(RedisClusterNode::getNodeId).toList() : List.of(ONLY_SERVER);
	}

	/**
	 * Replaces a dedicated connection, and leaves a shared one only if its server takes
	 * no writes. In a cluster, finds the successor of a dead node, as the connections to
	 * the other nodes are good.
	 */
	@Override
	public synchronized void reconnect(Kind failure) {
		if (cluster() != null) {
			((RedisClusterClient) this.connections.getRequiredNativeClient()).refreshPartitionsAsync();
		}
		else if (this.connection.isDone()) {
			CompletableFuture<Connection> old = this.connection;
			this.connection = new CompletableFuture<Connection>().completeAsync(() -> {
				release(old);
				if (this.connections instanceof DedicatedConnectionFactory dedicated) {
					dedicated.resetConnection();
				}
				else if (failure == Kind.READONLY) {
					CompletableFuture<?> unused = old.thenAccept(this::leaveServer);
				}
				return connectNow();
			}, LettuceScriptRunner::inBackground);
		}
	}

	/**
	 * Ends the session of a shared connection, so that Lettuce reconnects to the server
	 * that has the address now, and sends again what the application has in flight. A
	 * connection that would not do so is closed, as is one to a set of nodes, as it looks
	 * for the master only at its start.
	 */
	@SuppressWarnings("deprecation") // nothing else tells the kinds of connections apart
	private void leaveServer(Connection shared) {
		boolean reconnects = this.connections.getRequiredNativeClient().getOptions().isAutoReconnect();
		if (reconnects && shared.commands() instanceof RedisAsyncCommands<byte[], byte[]> commands
				&& !(commands.getStatefulConnection() instanceof StatefulRedisMasterReplicaConnection)) {
			RedisFuture<?> unused = commands.quit();
		}
		else {
			this.connections.resetConnection();
		}
	}

	@Override
	public void start() {
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.start();
		}
	}

	@Override
	public synchronized void stop() {
		release(this.connection);
		this.connection = notConnected();
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.stop();
		}
	}

	@Override
	public void close() {
		stop();
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.destroy();
		}
	}

	private CompletableFuture<Connection> connection() {
		return connection(LettuceScriptRunner::inBackground);
	}

	/**
	 * Returns the connection. Connecting blocks while Redis accepts the connection but
	 * does not reply, so one thread does it for all runs, and again after a failure.
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
		try {
			return next.completeAsync(this::connectNow, thread);
		}
		catch (RuntimeException | Error ex) {
			next.completeExceptionally(ex);
			throw ex;
		}
	}

	@SuppressWarnings("unchecked")
	private Connection connectNow() {
		RedisConnection connection = this.connections.getConnection();
		return new Connection(connection, (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
	}

	/**
	 * Returns the nodes and their slots, or null if this is no cluster or not connected.
	 */
	private @Nullable Partitions cluster() {
		CompletableFuture<Connection> current = this.connection;
		boolean connected = current.isDone() && !current.isCompletedExceptionally();
		return (connected && this.connections.getRequiredNativeClient() instanceof RedisClusterClient client)
				? client.getPartitions() : null;
	}

	private static CompletableFuture<Connection> notConnected() {
		return CompletableFuture.failedFuture(new IllegalStateException("Nothing has been run yet"));
	}

	private static void release(CompletionStage<Connection> connection) {
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

	private record Connection(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {

		void close() {
			this.connection.close();
		}

	}

}
