package io.github.ratelimit.autoconfigure.store;

import java.util.Optional;

import io.github.ratelimit.spring.finding.Findings;

/**
 * The Redis of an application. The class path may lack the client.
 */
interface ApplicationRedis {

	/** Returns whether there is a {@code RedisConnectionFactory} bean. */
	boolean isConnectable();

	/** Returns evidence that the application uses Redis, as a clause. */
	Optional<String> evidence();

	/** Creates the stores, which keep everything in Redis. */
	Stores stores();

	/** Checks Redis, which has replied. */
	void check(Findings findings);

}
