package io.github.ratelimit.benchmarks.jmh;

import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Measures the cost of decisions within the process and prints it with its targets:
 *
 * <pre>
 * mvn -Pbenchmarks -pl ratelimit-benchmarks -am -DskipTests package exec:java \
 *   -Dexec.mainClass=io.github.ratelimit.benchmarks.jmh.DecisionCosts
 * </pre>
 *
 * <p>
 * Ratios are of medians within one run. An argument is a regular expression of the
 * benchmarks to run.
 */
public final class DecisionCosts {

	private static final PrintStream OUT = System.out;

	/** Several, as each compiles the code in its own way. */
	private static final int FORKS = 5;

	private static final int ITERATIONS = Integer.getInteger("iterations", 5);

	private final Map<String, RunResult> results;

	private DecisionCosts(Collection<RunResult> results) {
		this.results = results.stream().collect(Collectors.toMap(DecisionCosts::name, (result) -> result));
	}

	/**
	 * Runs the benchmarks.
	 * @param arguments which of them; all where there are none
	 * @throws RunnerException if one fails
	 */
	public static void main(String[] arguments) throws RunnerException {
		passOnClassPath();
		String wanted = (arguments.length > 0) ? arguments[0] : "io.github.ratelimit";
		List<RunResult> results = new ArrayList<>(new Runner(options().include(wanted).build()).run());
		results.addAll(new Runner(options().include(MemoryStoreBenchmark.class.getName())
			.include(AlgorithmBenchmark.class.getName())
			.param("keys", "1")
			.threads(2)
			.build()).run());
		new DecisionCosts(results).print();
	}

	private static ChainedOptionsBuilder options() {
		return new OptionsBuilder().forks(FORKS)
			.warmupIterations(3)
			.warmupTime(TimeValue.milliseconds(500))
			.measurementIterations(ITERATIONS)
			.measurementTime(TimeValue.milliseconds(200))
			.addProfiler(GCProfiler.class);
	}

	/** To the processes that JMH starts, when Maven runs this one. */
	private static void passOnClassPath() {
		if (DecisionCosts.class.getClassLoader() instanceof URLClassLoader loader) {
			System.setProperty("java.class.path",
					Stream.of(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator)));
		}
	}

	private void print() {
		this.results.keySet().stream().sorted().forEach(this::printCost);
		printRatio("memoryStore.store 1", "memoryStore.floor 1", 1.5);
		printRatio("memoryStore.store 10000", "memoryStore.floor 10000", 1.5);
		for (String limit : new String[] { "1000000000/1h fixed-window", "1000000000/1h sliding-window-counter" }) {
			printRatio("algorithm.acquire 10000 " + limit, "memoryStore.floor 10000", 2);
		}
		for (String other : new String[] { "bucket4j", "resilience4j" }) {
			for (String keys : new String[] { " 1", " 10000", " 1 x2" }) {
				printRatio("memoryStore.store" + keys, "memoryStore." + other + keys, 1);
			}
		}
		printRatio("limiter.acquire", "memoryStore.floor 1", 1.6);
		printRatio("severalLimits.acquire 2", "severalLimits.acquire 1", 1.8);
		printRatio("severalLimits.acquire 4", "severalLimits.acquire 1", 3);
		printRatio("method.rateLimitedByManyArguments", "method.floorByManyArguments", 3.5);
		printRatio("method.rateLimitedWithMeters", "method.rateLimited", 1.4);
		printRatio("method.rateLimited", "method.resilience4j", 1);
		for (String registry : new String[] { "NOOP", "NOTHING_CURRENT" }) {
			printRatio("observation.acquire " + registry, "observation.acquire NONE", 1.1);
		}
		printRatio("observation.acquire CURRENT", "observation.acquire NONE", 1.5);
	}

	private void printCost(String name) {
		RunResult result = this.results.get(name);
		if (result != null) {
			OUT.printf("%-32s %9.1f ns %7.0f B%n", name, median(result),
					Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
		}
	}

	private void printRatio(String name, String base, double bar) {
		RunResult result = this.results.get(name);
		RunResult other = this.results.get(base);
		if (result != null && other != null) {
			double ratio = median(result) / median(other);
			OUT.printf("%-32s %5.2f x %-28s bar %.1f %s%n", name, ratio, base, bar, (ratio <= bar) ? "met" : "MISSED");
		}
	}

	private static double median(RunResult result) {
		Statistics statistics = result.getPrimaryResult().getStatistics();
		return statistics.getPercentile(50);
	}

	/** Such as {@code memoryStore.floor 1 x2}: its parameters, and threads if several. */
	private static String name(RunResult result) {
		String[] path = result.getParams().getBenchmark().split("\\.", -1);
		String type = path[path.length - 2].replace("Benchmark", "");
		String parameters = result.getParams()
			.getParamsKeys()
			.stream()
			.map((key) -> " " + result.getParams().getParam(key))
			.collect(Collectors.joining());
		int threads = result.getParams().getThreads();
		return Character.toLowerCase(type.charAt(0)) + type.substring(1) + '.' + path[path.length - 1] + parameters
				+ ((threads > 1) ? " x" + threads : "");
	}

}
