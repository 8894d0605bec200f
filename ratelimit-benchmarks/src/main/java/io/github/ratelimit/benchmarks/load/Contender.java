package io.github.ratelimit.benchmarks.load;

import java.util.concurrent.CompletionStage;

/**
 * A way to limit calls that takes part in a run. It keeps its connections for as long as
 * the run lasts; all it has counted is deleted before each {@link #prepare}.
 */
interface Contender extends AutoCloseable {

	/** Returns the name in a table. */
	String name();

	/** Whether it takes part in a scenario. */
	default boolean canDo(Scenario scenario) {
		return true;
	}

	/** Makes ready for the calls of a scenario, which follow. */
	void prepare(Scenario scenario);

	/** Spends one permit of a caller, and answers whether there was one. */
	boolean acquire(String key) throws Exception;

	/** Spends one permit of a caller without blocking. */
	default CompletionStage<Boolean> acquireAsync(String key) {
		throw new UnsupportedOperationException(name() + " blocks");
	}

	/** Whether it can do without blocking. */
	default boolean isAsync() {
		return true;
	}

	@Override
	void close();

}
