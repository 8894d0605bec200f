package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.redis.RedisProcess;

/**
 * A server whose processor time is measured.
 */
interface MeasuredServer {

	/** Returns for how long its processors have been busy, in microseconds. */
	double cpuMicros();

	/** Deletes what it has counted. */
	void clear();

	/** Returns Redis as such a server. */
	static MeasuredServer of(RedisProcess redis) {
		return new MeasuredServer() {

			@Override
			public double cpuMicros() {
				Matcher cpu = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)").matcher(redis.commands().info("cpu"));
				double seconds = 0;
				while (cpu.find()) {
					seconds += Double.parseDouble(cpu.group(1));
				}
				return seconds * 1e6;
			}

			@Override
			public void clear() {
				redis.commands().flushall();
			}

		};
	}

	/** Returns several as such servers. */
	static List<MeasuredServer> of(List<RedisProcess> redis) {
		return redis.stream().map(MeasuredServer::of).toList();
	}

}
