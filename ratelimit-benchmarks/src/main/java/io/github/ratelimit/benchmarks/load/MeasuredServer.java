package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.redis.RedisProcess;

/**
 * A server whose processor time is measured.
 */
interface MeasuredServer {

	/** Returns for how long its processors have been busy, in microseconds. */
	double cpuMicros();

	/** Returns how many scripts it has run. */
	default double runs() {
		return 0;
	}

	/** Deletes what it has counted. */
	void clear();

	/** Returns several as such servers. */
	static List<MeasuredServer> of(List<RedisProcess> redis) {
		return redis.stream().<MeasuredServer>map(RedisUnderLoad::new).toList();
	}

}
