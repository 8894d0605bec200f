package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.ScriptOutputType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys with one request each, of all algorithms in turn, and keys of random characters.
 */
@Tag("long")
@ExtendWith(FaultTable.class)
class RedisFloodIT {

	private static final int AT_A_TIME = 1000;

	/**
	 * The script that returns the number of keys, those without expiry, the longest life
	 * and the longest name.
	 */
	private static final String INSPECT = """
			local cursor, keys, stay, life, name = '0', 0, 0, 0, 0
			repeat
			  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
			  cursor = page[1]
			  for _, key in ipairs(page[2]) do
			    local left = redis.call('PTTL', key)
			    keys = keys + 1
			    stay = stay + (left == -1 and 1 or 0)
			    life = math.max(life, left)
			    name = math.max(name, #key)
			  end
			until cursor == '0'
			return {keys, stay, life, name}
			""";

	@Test
	void keepsNoKeyForLongerThanItsCount(Rows table) {
		flood(20_000, Duration.ofSeconds(1), table);
	}

	@Test
	@Tag("slow")
	void keepsNoneOfAMillionKeysForLongerThanItsCount(Rows table) {
		flood(1_000_000, Duration.ofSeconds(10), table);
	}

	/**
	 * Floods Redis. The key of a sliding window counter lives for two periods and half a
	 * second, as any key lives for half a second more.
	 */
	private static void flood(long keys, Duration period, Rows table) {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = Stores.patient(redis.port())) {
			long before = memory(redis);
			call(store, keys, period, (number) -> "key-" + number);
			long grown = memory(redis) - before;
			List<Long> inspect = inspect(redis);
			assertThat(inspect.get(0)).isPositive();
			assertThat(inspect.get(1)).isZero();
			assertThat(inspect.get(2)).isLessThanOrEqualTo(period.multipliedBy(2).plusSeconds(1).toMillis());
			Duration gone = Timing.until(Duration.ofMinutes(1), () -> redis.commands().dbsize() == 0);
			long left = memory(redis) - before;
			assertThat(left).isLessThanOrEqualTo(10_000_000);
			table.add("27 " + keys + " keys flood Redis, periods of " + period.toSeconds() + " s",
					"every key expires within two periods and 1 s; memory back to 10 MB above",
					inspect.get(0) + " keys at the end, " + inspect.get(1) + " without expiry, the longest for "
							+ inspect.get(2) / 1e3 + " s; memory " + grown / 1e6 + " MB above, " + left / 1e6 + " MB "
							+ gone.toMillis() / 1e3 + " s later");
		}
	}

	/** The rig detects a key without expiry. */
	@Test
	void detectsAKeyWithoutExpiry() {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.commands().set("stays", "x");
			redis.commands().psetex("goes", 30_000, "x");
			assertThat(inspect(redis)).startsWith(2L, 1L).endsWith(5L);
			assertThat(inspect(redis).get(2)).isBetween(1L, 30_000L);
		}
	}

	@Test
	void takesAnyKey(Rows table) {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = Stores.patient(redis.port())) {
			call(store, 10_000, Duration.ofMinutes(1), (number) -> anything(random));
			List<Long> inspect = inspect(redis);
			assertThat(inspect.get(0)).as("seed %d", seed).isPositive();
			assertThat(inspect.get(3)).as("seed %d", seed).isLessThan(100);
			table.add("28 Keys of any characters, up to 4096", "no failure; names in Redis below 100 bytes",
					"0 failures of 10000; the longest name has " + inspect.get(3) + " bytes");
		}
	}

	/** Makes a thousand requests at a time, one thousand after the other. */
	private static void call(RedisRateLimitStore store, long calls, Duration period, LongFunction<String> keys) {
		List<Limit> limits = Stream.of(Algorithm.values())
			.map((algorithm) -> Limit.of(algorithm, new Rate(1, period)))
			.toList();
		for (long first = 0; first < calls; first += AT_A_TIME) {
			List<CompletableFuture<Decision>> decisions = LongStream.range(first, first + AT_A_TIME)
				.mapToObj((number) -> acquire(store, limits.get((int) (number % limits.size())), keys.apply(number)))
				.toList();
			decisions.forEach(CompletableFuture::join);
		}
	}

	private static CompletableFuture<Decision> acquire(RedisRateLimitStore store, Limit limit, String key) {
		return store
			.executeAsync(new StoreRequest(StoreOperation.ACQUIRE,
					PermitRequests.of(limit.algorithm().id(), List.of(limit), key, 1)))
			.toCompletableFuture();
	}

	/** Returns a key of any characters, including halves of surrogate pairs. */
	private static String anything(Random random) {
		String special = "{}\r\n\0 %:*";
		return random.ints(random.nextInt(random.nextInt(10) == 0 ? 4096 : 40), 0, 0x10000)
			.mapToObj((unit) -> random.nextBoolean() ? special.charAt(unit % special.length()) : (char) unit)
			.map(String::valueOf)
			.collect(Collectors.joining());
	}

	private static List<Long> inspect(RedisProcess redis) {
		return redis.commands().eval(INSPECT, ScriptOutputType.MULTI);
	}

	private static long memory(RedisProcess redis) {
		return redis.commands()
			.info("memory")
			.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring("used_memory:".length())))
			.sum();
	}

}
