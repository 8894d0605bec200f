package io.github.ratelimit.spring.top;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import io.github.ratelimit.spring.top.TopList.Entry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class SpaceSavingTests {

	private static final int KEYS = 1_000_000;

	private static final int CALLS = 2_000_000;

	@Test
	void countsExactlyWhileItHasRoom() {
		SpaceSaving sketch = new SpaceSaving(3);
		sketch.add("a", 5);
		sketch.add("b", 7);
		sketch.add("a", 4);
		assertThat(sketch.top(9)).isEqualTo(new TopList(16, 0, List.of(new Entry("a", 9, 9), new Entry("b", 7, 7))));
	}

	@Test
	void boundsTheKeyThatTookOverACounter() {
		SpaceSaving sketch = new SpaceSaving(2);
		sketch.add("a", 5);
		sketch.add("b", 7);
		sketch.add("c", 1);
		assertThat(sketch.top(2)).isEqualTo(new TopList(13, 6, List.of(new Entry("b", 7, 7), new Entry("c", 1, 6))));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void findsTheTopTenOfZipfWithinItsError(long seed) {
		long[] truth = new long[KEYS];
		SpaceSaving sketch = new SpaceSaving(PolicyTop.COUNTERS);
		zipf(new Random(seed), (key) -> {
			sketch.add("key-" + key, 1);
			truth[key]++;
		});
		TopList top = sketch.top(PolicyTop.MOST);
		assertThat(top.total()).isEqualTo(CALLS);
		assertThat(top.entries()).extracting(Entry::key)
			.contains(Arrays.stream(topTen(truth)).mapToObj((key) -> "key-" + key).toArray(String[]::new));
		assertThat(top.entries()).allSatisfy((entry) -> {
			assertThat(truth[number(entry)]).isBetween(entry.atLeast(), entry.atMost());
			assertThat(entry.atMost() - entry.atLeast()).isLessThanOrEqualTo(CALLS / PolicyTop.COUNTERS);
		});
	}

	@Test
	void mergesInstancesWithinTheirErrors() {
		long[] truth = new long[KEYS];
		List<SpaceSaving> sketches = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			sketches.add(new SpaceSaving(PolicyTop.COUNTERS));
		}
		Random random = new Random(4);
		zipf(random, (key) -> {
			sketches.get(random.nextInt(sketches.size())).add("key-" + key, 1);
			truth[key]++;
		});
		TopList merged = TopList.merge(sketches.stream().map((sketch) -> sketch.top(PolicyTop.MOST)).toList(),
				PolicyTop.MOST);
		assertThat(merged.total()).isEqualTo(CALLS);
		assertThat(merged.entries()).extracting(Entry::key)
			.contains(Arrays.stream(topTen(truth)).mapToObj((key) -> "key-" + key).toArray(String[]::new));
		assertThat(merged.entries()).allSatisfy((entry) -> isBounded(entry, truth));
		List<Integer> listed = merged.entries().stream().map(SpaceSavingTests::number).toList();
		for (int key = 0; key < KEYS; key++) {
			if (truth[key] > merged.rest()) {
				assertThat(listed).contains(key);
			}
		}
	}

	private static void isBounded(Entry entry, long[] truth) {
		assertThat(truth[number(entry)]).isBetween(entry.atLeast(), entry.atMost());
		assertThat(entry.atMost() - entry.atLeast()).isLessThanOrEqualTo(CALLS / (PolicyTop.MOST + 1));
	}

	@Test
	void boundsEveryKeyOfARandomStream() {
		Random random = new Random(5);
		for (int run = 0; run < 300; run++) {
			SpaceSaving sketch = new SpaceSaving(1 + random.nextInt(8));
			Map<String, Long> truth = new HashMap<>();
			for (int call = 0; call < 100; call++) {
				String key = "k" + random.nextInt(12);
				long count = 1L + random.nextInt(5);
				sketch.add(key, count);
				truth.merge(key, count, Long::sum);
			}
			TopList top = sketch.top(3);
			truth.forEach((key, count) -> assertThat(count).isBetween(lowest(top, key), highest(top, key)));
		}
	}

	private static long lowest(TopList top, String key) {
		return top.entries().stream().filter((entry) -> entry.key().equals(key)).mapToLong(Entry::atLeast).sum();
	}

	private static long highest(TopList top, String key) {
		return top.entries()
			.stream()
			.filter((entry) -> entry.key().equals(key))
			.mapToLong(Entry::atMost)
			.findFirst()
			.orElse(top.rest());
	}

	private static int number(Entry entry) {
		return Integer.parseInt(entry.key().substring("key-".length()));
	}

	private static int[] topTen(long[] truth) {
		return IntStream.range(0, truth.length)
			.boxed()
			.sorted((one, other) -> Long.compare(truth[other], truth[one]))
			.limit(10)
			.mapToInt(Integer::intValue)
			.toArray();
	}

	/** Calls with keys whose frequencies follow Zipf's law with exponent 1.1. */
	private static void zipf(Random random, IntConsumer call) {
		double[] cumulated = new double[KEYS];
		double sum = 0;
		for (int rank = 0; rank < KEYS; rank++) {
			sum += Math.pow(rank + 1.0, -1.1);
			cumulated[rank] = sum;
		}
		for (int i = 0; i < CALLS; i++) {
			int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
			call.accept((found < 0) ? Math.min(-found - 1, KEYS - 1) : found);
		}
	}

}
