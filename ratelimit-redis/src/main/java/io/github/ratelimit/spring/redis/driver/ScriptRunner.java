package io.github.ratelimit.spring.redis.driver;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.shared.ReplyHandler;

/**
 * A runner of scripts on one Redis driver. It sends the hash of a script, and the whole
 * text if Redis does not have it. Handlers get the exceptions of the driver.
 */
public interface ScriptRunner extends AutoCloseable {

	/** The name of the server if there is only one. */
	String ONLY_SERVER = "redis";

	/**
	 * Runs a script on the current thread.
	 * @throws RuntimeException the one that the handler returns for a failure; or the
	 * reason why the script was not sent, in which case the handler is not notified
	 */
	<T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler);

	/**
	 * Runs a script without blocking.
	 * @throws RuntimeException the reason why the script was not sent; the handler is not
	 * notified
	 */
	<T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler);

	/**
	 * Returns the time that queued requests are timed by, in nanoseconds from an
	 * arbitrary origin.
	 */
	default long now() {
		return System.nanoTime();
	}

	/** Blocks until there is a connection. */
	void connect();

	/** Loads a script into Redis before its first run. */
	default void load(DecisionScript script) {
	}

	/**
	 * Replaces a connection that may be dead, or leads to a server that is no longer the
	 * right one, in the background, if the driver can.
	 * @param failure the latest failure on the connection
	 */
	default void reconnect(Kind failure) {
	}

	/** Connects again after {@link #stop}, at the next run at the latest. */
	default void start() {
	}

	/** Closes the connection of this runner. Until the start, runs fail. */
	default void stop() {
	}

	/** Returns whether every run blocks a thread. */
	default boolean blocks() {
		return false;
	}

	/** Returns whether keys are in slots. A script can touch only one of these. */
	default boolean isClustered() {
		return false;
	}

	/** Returns the server that would run an invocation. */
	default String server(ScriptInvocation invocation) {
		return ONLY_SERVER;
	}

	/** Returns all servers that run scripts now. */
	default Collection<String> servers() {
		return List.of(ONLY_SERVER);
	}

	@Override
	default void close() {
	}

}
