package io.github.ratelimit.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/**
 * Usage up to now: time, the processors of the servers, and memory of this JVM.
 *
 * @param nanos the time
 * @param serverMicros for how long processors have been busy in each server
 * @param runs the script runs of all servers
 * @param clientMicros for how long they have been busy in this JVM
 * @param allocated bytes that the threads alive have allocated
 */
record Meters(long nanos, List<Double> serverMicros, double runs, double clientMicros, long allocated) {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	static Meters read(List<MeasuredServer> servers) {
		List<Double> micros = servers.stream().map(MeasuredServer::cpuMicros).toList();
		double runs = servers.stream().mapToDouble(MeasuredServer::runs).sum();
		return new Meters(System.nanoTime(), micros, runs, PROCESS.getProcessCpuTime() / 1e3, allocatedBytes());
	}

	/** Returns the usage since an earlier reading. */
	Meters since(Meters before) {
		List<Double> micros = IntStream.range(0, this.serverMicros.size())
			.mapToObj((server) -> this.serverMicros.get(server) - before.serverMicros.get(server))
			.toList();
		return new Meters(this.nanos - before.nanos, micros, this.runs - before.runs,
				this.clientMicros - before.clientMicros, this.allocated - before.allocated);
	}

	private static long allocatedBytes() {
		return LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())).filter((b) -> b > 0).sum();
	}

}
