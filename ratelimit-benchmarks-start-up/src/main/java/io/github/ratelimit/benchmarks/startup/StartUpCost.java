package io.github.ratelimit.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A measurement of what the starter adds to the start of a web application: processes
 * with and without it take turns, and their medians are compared. It fails if CPU time or
 * classes are more than a twentieth above the recorded ratio.
 */
public final class StartUpCost {

	private static final int RUNS = Integer.getInteger("runs", 10);

	private static final double RECORDED_CPU_TIME = 1.21;

	private static final double RECORDED_CLASSES = 1.15;

	private static final double TOLERATED = 1.05;

	private StartUpCost() {
	}

	/**
	 * Measures and prints a table.
	 * @param arguments none
	 * @throws IOException if a process cannot be started
	 */
	@SuppressWarnings("checkstyle:RegexpSinglelineJava")
	public static void main(String[] arguments) throws IOException {
		String with = System.getProperty("java.class.path");
		String without = Arrays.stream(with.split(File.pathSeparator))
			.filter((entry) -> !isOfStarter(entry))
			.collect(Collectors.joining(File.pathSeparator));
		List<StartUp> plain = new ArrayList<>();
		List<StartUp> limited = new ArrayList<>();
		for (int run = 0; run < RUNS; run++) {
			plain.add(start(without));
			limited.add(start(with));
		}
		System.out.printf("%-24s %10s %10s %8s%n", "medians of " + RUNS, "without", "with", "ratio");
		double cpuTime = print("CPU time, ms", plain, limited, StartUp::cpuMillis);
		print("of compilers, ms", plain, limited, StartUp::compilerMillis);
		print("beans", plain, limited, StartUp::beans);
		double classes = print("classes", plain, limited, StartUp::classes);
		if (cpuTime > TOLERATED * RECORDED_CPU_TIME || classes > TOLERATED * RECORDED_CLASSES) {
			throw new IllegalStateException("more than the recorded CPU time or classes");
		}
	}

	/** Returns whether an entry of a class path comes with the starter. */
	private static boolean isOfStarter(String entry) {
		return entry.contains("ratelimit-core") || entry.contains("ratelimit-redis")
				|| entry.contains("ratelimit-spring-");
	}

	private static StartUp start(String classPath) throws IOException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath, QuoteApplication.class.getName())
			.redirectErrorStream(true)
			.start();
		return StartUp.parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
	}

	@SuppressWarnings("checkstyle:RegexpSinglelineJava")
	private static double print(String name, List<StartUp> plain, List<StartUp> limited,
			ToLongFunction<StartUp> figure) {
		long without = median(plain, figure);
		long with = median(limited, figure);
		double ratio = (double) with / without;
		System.out.printf("%-24s %10d %10d %8.3f%n", name, without, with, ratio);
		return ratio;
	}

	private static long median(List<StartUp> starts, ToLongFunction<StartUp> figure) {
		long[] sorted = starts.stream().mapToLong(figure).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

}
