package io.github.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;

/**
 * Measures the cost of decisions within Redis, next to hand-written scripts that do the
 * least that can be called the same. It starts a {@code redis-server} of its own and
 * prints the medians of several rounds in which all take turns, with their targets:
 *
 * <pre>
 * mvn -Pbenchmarks -pl ratelimit-benchmarks -am -DskipTests package exec:java
 * </pre>
 *
 * <p>
 * Times are the {@code usec_per_call} of {@code EVALSHA} in {@code INFO commandstats}:
 * what a call keeps the server's one thread busy for. A log is one hot key that is full.
 * It is steady if each call finds that one entry has left and is admitted, for which the
 * time is given; where it denies and for buckets, scripts ask the server for the time.
 * Bytes are those of a key after its calls; of 10,000 keys, with Redis' tables of them.
 * Calls with a turn are those of keys that have no room, and wait.
 */
public final class ScriptCosts {

	private static final int ROUNDS = Integer.getInteger("rounds", 5);

	private static final int CALLS = Integer.getInteger("calls", 40_000);

	private static final int KEYS = 10_000;

	private static final long HOUR = 3_600_000_000L;

	/** Between the calls of a steady log: a key that is charged 100 times a second. */
	private static final long STEP = 10_000;

	/** When logs begin: just now, so that server and scripts agree. */
	private static final long START = System.currentTimeMillis() * 1000 - 1_000_000;

	private final StoreCalls store = new StoreCalls();

	private final Map<String, List<Double>> measured = new LinkedHashMap<>();

	private final Map<String, Double> bytes = new LinkedHashMap<>();

	private ScriptCosts() {
	}

	/**
	 * Measures and prints.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		ScriptCosts costs = new ScriptCosts();
		List<Subject> subjects = costs.subjects();
		try (MeasuredRedis redis = new MeasuredRedis()) {
			print("Redis %s, medians of %d rounds of %d calls%n%n".formatted(redis.version(), ROUNDS, CALLS));
			for (int round = 0; round < ROUNDS; round++) {
				subjects.forEach((subject) -> costs.measure(redis, subject));
			}
		}
		costs.report();
	}

	private void measure(MeasuredRedis redis, Subject subject) {
		this.measured.computeIfAbsent(subject.name(), (name) -> new ArrayList<>()).add(redis.measure(subject));
		this.bytes.put(subject.name(), redis.bytesPerKey());
	}

	private List<Subject> subjects() {
		List<Subject> subjects = new ArrayList<>(
				List.of(buckets("one token bucket", "1000/1m"), buckets("two token buckets", "1000/1m", "9000/1h"),
						overKeys("GCRA", ScriptCall.of("gcra.lua", "", 60_000, 60_000_000)),
						overKeys("TIME and GET", ScriptCall.of("floor.lua", ""))));
		subjects.add(overKeys("one leaky bucket", Algorithm.LEAKY_BUCKET, "1000000/1h"));
		subjects.add(overKeys("one fixed window", Algorithm.FIXED_WINDOW, "1000/1m"));
		subjects.add(overKeys("one sliding window counter", Algorithm.SLIDING_WINDOW_COUNTER, "1000/1m"));
		subjects.add(overKeys("one log", Algorithm.SLIDING_WINDOW_LOG, "1000/1m"));
		Algorithm.rates().map(this::withTurns).forEach(subjects::add);
		subjects.add(overKeys("1000 concurrent", Algorithm.CONCURRENCY, "1000/30s"));
		subjects.add(steady("1000 concurrent, all grains", calls(Algorithm.CONCURRENCY, 1000, "10s"), 1000));
		for (int permits : new int[] { 100, 10_000 }) {
			subjects.add(steady("log of " + permits + ", steady", log(permits, permits / 100 + "s"), permits));
			subjects.add(steady("sorted set of " + permits + ", steady", sortedSet(permits, permits * STEP), permits));
			subjects.add(denied("log of " + permits + ", denied", log(permits, "1h"), permits));
			subjects.add(denied("sorted set of " + permits + ", denied", sortedSet(permits, HOUR), permits));
		}
		return subjects;
	}

	private Subject buckets(String name, String... rates) {
		return overKeys(name, Algorithm.TOKEN_BUCKET, rates);
	}

	private Subject overKeys(String name, Algorithm algorithm, String... rates) {
		List<ScriptCall> calls = IntStream.range(0, KEYS)
			.mapToObj((key) -> this.store.call(algorithm, "user-" + key, rates))
			.toList();
		return new Subject(name, KEYS, CALLS, false, (number) -> calls.get(number % KEYS));
	}

	private Subject overKeys(String name, ScriptCall call) {
		List<ScriptCall> calls = IntStream.range(0, KEYS)
			.mapToObj((key) -> this.store.call(Algorithm.TOKEN_BUCKET, "user-" + key, "1000/1m"))
			.map((ours) -> call.on(ours.keys().get(0)))
			.toList();
		return new Subject(name, KEYS, CALLS, false, (number) -> calls.get(number % KEYS));
	}

	/** The first call of each key has room, and all others wait behind one another. */
	private Subject withTurns(Algorithm algorithm) {
		List<ScriptCall> calls = IntStream.range(0, KEYS)
			.mapToObj((key) -> this.store.call(algorithm, "user-" + key, HOUR, "1/1m"))
			.toList();
		return new Subject(algorithm.id().replace('-', ' ') + ", a turn", KEYS, CALLS, true,
				(number) -> calls.get(number % KEYS));
	}

	private LongFunction<ScriptCall> log(int permits, String period) {
		return calls(Algorithm.SLIDING_WINDOW_LOG, permits, period);
	}

	/** Calls the script with the server's time, or with one that is given. */
	private LongFunction<ScriptCall> calls(Algorithm algorithm, int permits, String period) {
		ScriptCall call = this.store.call(algorithm, "", permits + "/" + period);
		return (time) -> (time < 0) ? call : call.withFirst(1, time);
	}

	private static LongFunction<ScriptCall> sortedSet(int permits, long window) {
		ScriptCall call = ScriptCall.of("sorted-set-log.lua", "log", "", permits, window, "");
		return (time) -> (time < 0) ? call : call.with(0, time);
	}

	private static Subject steady(String name, LongFunction<ScriptCall> calls, int permits) {
		return new Subject(name, 2 * permits, CALLS, false, (number) -> calls.apply(START + number * STEP));
	}

	private static Subject denied(String name, LongFunction<ScriptCall> calls, int permits) {
		return new Subject(name, permits, CALLS, true,
				(number) -> calls.apply((number < permits) ? START + number : -1));
	}

	private void report() {
		this.measured.forEach((name, costs) -> print(
				"%-30s %6.2f us %8.0f bytes a key%n".formatted(name, median(name), this.bytes.get(name))));
		print("%n%-30s %7s %7s%n".formatted("", "ratio", "at most"));
		ratio("one token bucket", "GCRA", 1.5);
		ratio("two token buckets", "one token bucket", 1.7);
		ratio("1000 concurrent", "one token bucket", 1.25);
		ratio("1000 concurrent, all grains", "one token bucket", 2.5);
		for (String state : List.of(", steady", ", denied")) {
			ratio("log of 100" + state, "sorted set of 100" + state, 1.0);
			ratio("log of 10000" + state, "sorted set of 10000" + state, 0.5);
		}
		for (String log : List.of("log of 10000, denied", "sorted set of 10000, denied")) {
			print("%n%-30s %7.0f bytes (at most 160000)".formatted(log.replace(", denied", ", memory"),
					this.bytes.get(log)));
		}
		print("%n".formatted());
	}

	private void ratio(String ours, String other, double bar) {
		print("%-30s %7.2f %7.1f  of %s%n".formatted(ours, median(ours) / median(other), bar, other));
	}

	private double median(String name) {
		List<Double> costs = this.measured.getOrDefault(name, List.of()).stream().sorted().toList();
		return costs.get(costs.size() / 2);
	}

	@SuppressWarnings("checkstyle:regexpsinglelinejava")
	private static void print(String text) {
		System.out.print(text);
	}

}
