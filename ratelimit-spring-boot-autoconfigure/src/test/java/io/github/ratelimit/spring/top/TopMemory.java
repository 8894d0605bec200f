package io.github.ratelimit.spring.top;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A measurement of the memory that the top keys of a policy take up, in a JVM of its own,
 * so that no garbage of tests is collected meanwhile.
 */
final class TopMemory {

	private static final int POLICIES = 200;

	private TopMemory() {
	}

	/** Returns the number of bytes of a policy. */
	static long measure() throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx256m", "-cp", System.getProperty("java.class.path"), TopMemory.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return Long.parseLong(output.strip());
	}

	public static void main(String[] arguments) throws IOException {
		PolicyTop[] tops = new PolicyTop[POLICIES];
		fill(new PolicyTop(0), 0);
		long before = usedMemory();
		for (int i = 0; i < tops.length; i++) {
			tops[i] = new PolicyTop(0);
			fill(tops[i], 0);
			fill(tops[i], PolicyTop.PERIOD.toNanos());
		}
		long bytes = (usedMemory() - before) / tops.length;
		if (tops[0].report(PolicyTop.PERIOD.toNanos()).isEmpty()) {
			throw new IllegalStateException("nothing was counted");
		}
		System.out.write(Long.toString(bytes).getBytes(StandardCharsets.UTF_8));
		System.out.flush();
	}

	private static void fill(PolicyTop top, long now) {
		for (int i = 0; i < 1000; i++) {
			top.deny("%056d".formatted(i), now);
			top.spend("%056d".formatted(i + 1000), 1, now);
		}
	}

	private static long usedMemory() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
