package io.github.ratelimit.spring;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The heap of another JVM, in which a main class measures memory while no garbage of
 * tests is collected.
 */
public final class ForkedHeap {

	private ForkedHeap() {
	}

	/**
	 * Runs a main class.
	 * @param main a class that {@linkplain #report reports} a number of bytes
	 * @return the number
	 */
	public static long measuredBy(Class<?> main) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx256m", "-cp", System.getProperty("java.class.path"), main.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return Long.parseLong(output.strip());
	}

	/**
	 * Returns the memory in use, without garbage.
	 * @return the number of bytes
	 */
	public static long used() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * Reports a number of bytes to the JVM of the test.
	 * @param bytes the number
	 */
	public static void report(long bytes) {
		byte[] text = Long.toString(bytes).getBytes(StandardCharsets.UTF_8);
		System.out.write(text, 0, text.length);
		System.out.flush();
	}

}
