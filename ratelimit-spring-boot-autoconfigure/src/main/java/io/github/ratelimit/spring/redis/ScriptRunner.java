package io.github.ratelimit.spring.redis;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Runs scripts by the means of one Redis driver: by name, and with the whole text where
 * Redis does not know the name. Throws whatever the driver throws.
 */
interface ScriptRunner extends AutoCloseable {

	/** What a Redis is called that is one server. */
	String ONLY_SERVER = "redis";

	List<Object> run(ScriptCall call);

	CompletionStage<List<Object>> runAsync(ScriptCall call);

	/** Blocks until there is a connection, or throws. */
	void connect();

	/** Replaces a connection that may be dead, in the background, where that can help. */
	default void reconnect() {
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
