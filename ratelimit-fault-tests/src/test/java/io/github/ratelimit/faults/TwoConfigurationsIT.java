package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four instances, each in a JVM of its own, that alternate between two configurations: at
 * any time, two of them have each.
 */
@ExtendWith(FaultTable.class)
class TwoConfigurationsIT {

	private static final int INSTANCES = 4;

	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("test.seconds", 60));

	@Test
	@Tag("slow")
	void admitNoMoreThanTheLargerOne(Rows table) {
		List<List<Long>> keys = run();
		List<String> figures = new ArrayList<>();
		for (int key = 0; key < keys.size(); key++) {
			List<List<Limit>> both = TwoConfigurations.KEYS.get(key);
			for (long period : both.stream()
				.flatMap(List::stream)
				.mapToLong(Limit::periodMicros)
				.distinct()
				.toArray()) {
				long most = mostIn(period, keys.get(key));
				assertThat(most).as("%s", both).isPositive().isLessThanOrEqualTo(bound(both, period));
				figures.add(most + " of " + bound(both, period));
			}
		}
		table.add(
				"25 Bursts, rates, algorithms or numbers of limits differ between 4 JVMs, and change every second, for "
						+ TIME.toSeconds() + " s",
				"no period above the larger burst, the larger rate and one window's edge", String.join("; ", figures));
	}

	private static List<List<Long>> run() {
		try (RedisProcess redis = RedisProcess.start()) {
			List<Path> files = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> Path.of("target", "two-configurations-" + instance))
				.toList();
			List<Jvm> instances = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> Jvm.run("128m", TwoConfigurations.class, redis.port(), TIME.toMillis(),
						instance, files.get(instance)))
				.toList();
			instances.forEach(Jvm::awaitReady);
			instances.forEach(Jvm::go);
			instances.forEach(Jvm::join);
			return admissions(files);
		}
	}

	private static List<List<Long>> admissions(List<Path> files) {
		List<List<Long>> keys = new ArrayList<>();
		TwoConfigurations.KEYS.forEach((both) -> keys.add(new ArrayList<>()));
		for (Path file : files) {
			for (String line : lines(file)) {
				String[] parts = line.split(" ", -1);
				keys.get(Integer.parseInt(parts[0])).add(Long.parseLong(parts[1]));
			}
		}
		keys.forEach((times) -> times.sort(null));
		return keys;
	}

	private static long mostIn(long period, List<Long> times) {
		int most = 0;
		int first = 0;
		for (int last = 0; last < times.size(); last++) {
			while (times.get(last) - times.get(first) >= period) {
				first++;
			}
			most = Math.max(most, last - first + 1);
		}
		return most;
	}

	/** Returns the bound of the tightest limit that both configurations have. */
	private static long bound(List<List<Limit>> both, long period) {
		long[] periods = both.stream()
			.flatMap(List::stream)
			.mapToLong(Limit::periodMicros)
			.filter((one) -> both.stream()
				.allMatch((limits) -> limits.stream().anyMatch((limit) -> limit.periodMicros() == one)))
			.distinct()
			.toArray();
		long least = Long.MAX_VALUE;
		for (long shared : periods) {
			List<Limit> limits = both.stream()
				.flatMap(List::stream)
				.filter((limit) -> limit.periodMicros() == shared)
				.toList();
			least = Math.min(least, together(limits, period));
		}
		return least;
	}

	private static long together(List<Limit> limits, long period) {
		long burst = limits.stream().mapToLong(Limit::burst).max().orElseThrow();
		long rate = limits.stream()
			.mapToLong((limit) -> limit.rate().permits() * period / limit.periodMicros())
			.max()
			.orElseThrow();
		long edge = limits.stream().mapToLong((limit) -> Definition.of(limit).edge()).max().orElseThrow();
		return burst + rate + edge;
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
