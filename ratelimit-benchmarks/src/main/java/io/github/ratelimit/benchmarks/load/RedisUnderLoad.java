package io.github.ratelimit.benchmarks.load;

import java.util.regex.Pattern;

import io.github.ratelimit.redis.RedisProcess;

/**
 * A Redis that tells what it has used.
 *
 * @param redis the server
 */
record RedisUnderLoad(RedisProcess redis) implements MeasuredServer {

	private static final Pattern SECONDS = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");

	private static final Pattern RUNS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

	@Override
	public double cpuMicros() {
		return sum(SECONDS, "cpu") * 1e6;
	}

	@Override
	public double runs() {
		return sum(RUNS, "commandstats");
	}

	private double sum(Pattern numbers, String section) {
		return numbers.matcher(this.redis.commands().info(section))
			.results()
			.mapToDouble((found) -> Double.parseDouble(found.group(1)))
			.sum();
	}

	@Override
	public void clear() {
		this.redis.commands().flushall();
	}

}
