package io.github.ratelimit.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.redis.RedisProcess;

/**
 * Usage up to now: time, the processors of the servers, and memory of this JVM.
 *
 * @param nanos the time
 * @param serverMicros for how long processors have been busy in each server
 * @param allocated bytes that the threads alive have allocated
 */
record Meters(long nanos, List<Double> serverMicros, long allocated) {

	private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	static Meters read(List<RedisProcess> servers) {
		List<Double> micros = servers.stream().map(Meters::cpuMicros).toList();
		return new Meters(System.nanoTime(), micros, allocatedBytes());
	}

	/** Returns the usage since an earlier reading. */
	Meters since(Meters before) {
		List<Double> micros = IntStream.range(0, this.serverMicros.size())
			.mapToObj((server) -> this.serverMicros.get(server) - before.serverMicros.get(server))
			.toList();
		return new Meters(this.nanos - before.nanos, micros, this.allocated - before.allocated);
	}

	private static double cpuMicros(RedisProcess server) {
		Matcher cpu = CPU.matcher(server.commands().info("cpu"));
		double seconds = 0;
		while (cpu.find()) {
			seconds += Double.parseDouble(cpu.group(1));
		}
		return seconds * 1e6;
	}

	private static long allocatedBytes() {
		return LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())).filter((b) -> b > 0).sum();
	}

}
