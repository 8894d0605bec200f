package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.faults.Admissions.Stretch;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.faults.HotKeys.LoadStyle;
import io.github.ratelimit.faults.HotKeys.Spent;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four instances of sixteen threads, each in a JVM of its own, that spend all permits of
 * some keys, ten of each algorithm.
 */
@Tag("long")
@ExtendWith(FaultTable.class)
class HotKeysIT {

	private static final int INSTANCES = 4;

	/** The number of runs of a minute. */
	private static final int RUNS = Integer.getInteger("test.runs", 1);

	private static final String BOUND = "no call that the definition of its algorithm denies, and no period above its bound";

	@Test
	void admitsExactlyTheLimits(Rows table) {
		Spent spent = run(Duration.ofSeconds(4), List.of(LoadStyle.PLAIN));
		spent.keys().forEach(HotKeysIT::isAsDefined);
		table.add("01 4 JVMs of 16 threads on " + HotKeys.KEYS + " hot keys for 4 s",
				BOUND + "; no denial that the definition admits", figures(spent));
	}

	@Test
	@Tag("slow")
	void admitsExactlyTheLimitsForAMinute(Rows table) {
		Spent spent = Stream.generate(() -> run(Duration.ofSeconds(60), List.of(LoadStyle.PLAIN)))
			.limit(RUNS)
			.reduce(Spent::and)
			.orElseThrow();
		assertThat(spent.failures()).isZero();
		spent.keys().forEach(HotKeysIT::isAsDefined);
		table.add("01 4 JVMs of 16 threads on " + HotKeys.KEYS + " hot keys for 60 s, runs: " + RUNS, BOUND
				+ "; no denial that the definition admits; of a bucket its burst and all that flowed in until its last denial",
				figures(spent) + "; " + figuresOfBuckets(spent));
	}

	@Test
	@Tag("slow")
	void admitsNoMoreWithPrefetchedPermits(Rows table) {
		Spent spent = run(Duration.ofSeconds(20), List.of(LoadStyle.PREFETCHED));
		spent.keys().forEach(HotKeysIT::isWithinItsBound);
		table.add("01 4 JVMs of 16 threads that take permits in advance, for 20 s", BOUND, figures(spent));
	}

	@Test
	@Tag("slow")
	void admitsNoMoreIfAnInstanceStandsStill(Rows table) {
		Spent spent = run(Duration.ofSeconds(20), List.of(LoadStyle.PLAIN), (instances) -> {
			Timing.sleep(Duration.ofSeconds(3));
			instances.get(0).pause();
			Timing.sleep(Duration.ofSeconds(10));
			instances.get(0).resume();
		});
		spent.keys().forEach(HotKeysIT::isWithinItsBound);
		table.add("24 One of 4 JVMs stands still for 10 s", BOUND,
				figures(spent) + "; " + spent.failures() + " calls failed");
	}

	@Test
	@Tag("slow")
	void admitsOneBurstMoreAtMostIfLimitsChange(Rows table) {
		Spent spent = run(Duration.ofSeconds(20), List.of(LoadStyle.HALF_FIRST, LoadStyle.HALF_SECOND));
		assertThat(spent.failures()).isZero();
		assertThat(spent.keys()).allSatisfy(
				(key) -> assertThat(key.mostInAPeriod()).isLessThanOrEqualTo(key.bound() + key.limit().burst()));
		table.add("25 Rates differ by half between 4 JVMs, and change every 2 s",
				"no failure; no period above the bound of the larger limit and a burst", figures(spent));
	}

	private static void isAsDefined(Admissions key) {
		isWithinItsBound(key);
		assertThat(key.undueDenials()).as("%s", key.limit().algorithm()).isZero();
	}

	private static void isWithinItsBound(Admissions key) {
		assertThat(key.undue()).as("%s", key.limit().algorithm()).isZero();
		assertThat(key.mostInAPeriod()).as("%s", key.limit().algorithm()).isLessThanOrEqualTo(key.bound());
	}

	private static Spent run(Duration time, List<LoadStyle> styles) {
		return run(time, styles, (instances) -> {
		});
	}

	/** Runs the instances with these styles in turn. */
	private static Spent run(Duration time, List<LoadStyle> styles, Consumer<List<Jvm>> fault) {
		try (RedisProcess redis = RedisProcess.start()) {
			List<Path> files = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> Path.of("target", "hot-keys-" + instance))
				.toList();
			List<Jvm> instances = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> Jvm.run("256m", HotKeys.class, redis.port(), time.toMillis(),
						styles.get(instance % styles.size()), files.get(instance)))
				.toList();
			instances.forEach(Jvm::awaitReady);
			instances.forEach(Jvm::go);
			fault.accept(instances);
			instances.forEach(Jvm::join);
			return Spent.of(files.stream().map(HotKeysIT::lines).toList());
		}
	}

	private static String figuresOfBuckets(Spent spent) {
		List<Duration> times = spent.keys()
			.stream()
			.filter((key) -> key.limit().algorithm().rule().equals(Algorithm.TOKEN_BUCKET.rule()))
			.map(HotKeysIT::timeWithoutLoss)
			.toList();
		return String.format(Locale.ROOT, "all of each of %d buckets, for %.1f s at least", times.size(),
				Collections.min(times).toMillis() / 1e3);
	}

	/**
	 * Returns the longest time in which the bucket was never full, so that no refill was
	 * lost.
	 */
	private static Duration timeWithoutLoss(Admissions bucket) {
		List<Stretch> stretches = bucket.stretches();
		assertThat(stretches).allSatisfy((stretch) -> assertThat(stretch.missing()).isNotPositive());
		return stretches.stream().map(Stretch::time).max(Comparator.naturalOrder()).orElseThrow();
	}

	private static String figures(Spent spent) {
		long admitted = spent.keys().stream().mapToLong((key) -> key.times().size()).sum();
		Admissions fullest = spent.keys()
			.stream()
			.max((one, other) -> Double.compare(one.partOfTheBound(), other.partOfTheBound()))
			.orElseThrow();
		return admitted + " of " + spent.calls() + " calls admitted; at most " + fullest.mostInAPeriod() + " of "
				+ fullest.bound() + " in a period (" + fullest.limit().algorithm().id() + ")";
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
