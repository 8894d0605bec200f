package io.github.ratelimit.spring.redis;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs scripts by the means of one Redis driver: by name, and with the whole text where
 * Redis does not know the name. A reader is told what the driver throws.
 */
interface ScriptRunner extends AutoCloseable {

	/** What a Redis is called that is one server. */
	String ONLY_SERVER = "redis";

	/**
	 * Runs a script on the caller's thread.
	 * @throws RuntimeException what the reader makes of a failure, or what keeps the
	 * script from being run, of which the reader is not told
	 */
	<T> T run(ScriptCall call, ReplyReader<T> reader);

	/**
	 * Runs a script without blocking.
	 * @throws RuntimeException what keeps the script from being run, of which the reader
	 * is not told
	 */
	<T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader);

	/** The time by which calls wait, in nanoseconds from no particular instant. */
	default long now() {
		return System.nanoTime();
	}

	/** Blocks until there is a connection, or throws. */
	void connect();

	/** Has Redis know a script before it is run. */
	default void load(DecisionScript script) {
	}

	/** Replaces a connection that may be dead, in the background, where that can help. */
	default void reconnect() {
	}

	/** Whether it can run scripts only on the thread of a caller. */
	default boolean blocks() {
		return false;
	}

	/** Whether keys are in slots, of which a script can touch one alone. */
	default boolean isClustered() {
		return false;
	}

	/** Which server would run a call. */
	default String server(ScriptCall call) {
		return ONLY_SERVER;
	}

	/** All servers that run calls at present. */
	default Collection<String> servers() {
		return List.of(ONLY_SERVER);
	}

	@Override
	default void close() {
	}

}
