package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;

/**
 * A server on which the instances of a chaos count, and which it lets fail.
 */
interface ChaosServer extends AutoCloseable {

	/** Returns the properties of an instance that counts there. */
	List<String> properties();

	/** Returns the faults that it may have. */
	List<ChaosFaults.Fault> faults();

	/** Returns the longest time that a call of an instance may wait for it. */
	Duration longestCall();

	/** Requires that all that is kept there ends, while instances are idle. */
	void requireEnds();

	@Override
	void close();

}
