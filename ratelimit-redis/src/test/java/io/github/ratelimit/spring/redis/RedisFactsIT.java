package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The costs and traces of decisions in Redis, by its own statistics. */
class RedisFactsIT {

	/** A server of its own, so that nothing else counts. */
	private static final RedisProcess REDIS = RedisProcess.start();

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

	private final RedisCommands<String, String> redis = REDIS.commands();

	@BeforeEach
	void empty() {
		this.redis.flushall();
		this.redis.scriptFlush();
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@ParameterizedTest
	@EnumSource
	void decidesByOneCommand(Driver driver) {
		try (ConnectedStore connected = connect(driver)) {
			List<PermitRequest> permits = permits("one", "alice", "9/1h");
			assertThatItTakesOneCommand(connected.store(), permits);
		}
	}

	@ParameterizedTest
	@EnumSource
	void decidesTwoChargesOfTwoLimitsByOneCommand(Driver driver) {
		try (ConnectedStore connected = connect(driver)) {
			List<PermitRequest> permits = PermitRequests.and(permits("two", "alice", "9/1h", "99/1d"),
					permits("other", "bob", "9/1m", "99/1h"));
			assertThatItTakesOneCommand(connected.store(), permits);
			assertThat(this.redis.dbsize()).isEqualTo(4);
		}
	}

	@ParameterizedTest
	@EnumSource
	void losesNoDecisionIfRedisDropsItsScripts(Driver driver) {
		List<PermitRequest> permits = permits("one", "alice", "9/1h");
		try (ConnectedStore connected = connect(driver)) {
			for (long remaining = 8; remaining > 0; remaining -= 2) {
				this.redis.scriptFlush();
				assertThat(
						only(connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, permits))).remaining())
					.isEqualTo(remaining);
				this.redis.scriptFlush();
				assertThat(only(async(connected.store(), permits)).remaining()).isEqualTo(remaining - 1);
			}
		}
	}

	@ParameterizedTest
	@MethodSource
	void expiresEveryKeyWithinASecondOfItsReset(Limit limit) {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			RateLimitStore store = connected.store();
			for (long cost : new long[] { 1, 0, 1_000_000 }) {
				List<PermitRequest> permits = PermitRequests.of("one", List.of(limit), "alice",
						Math.min(cost, limit.burst()));
				assertThatItExpiresInTime(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)));
			}
		}
	}

	static Stream<Limit> expiresEveryKeyWithinASecondOfItsReset() {
		return Stream.concat(Stream.of(Algorithm.values()).map((algorithm) -> Limit.of(algorithm, Rate.parse("10/1m"))),
				Stream.of("7/1h", "1/30d", "3/366d", "100000/1m")
					.map((rate) -> Limit.parse(rate, Algorithm.TOKEN_BUCKET)));
	}

	@Test
	void expiresALongLogWithinASecondOfItsReset() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			for (int index = 0; index < 300; index++) {
				List<PermitRequest> permits = permits("one", "alice", "250/2s sliding-window-log");
				assertThatItExpiresInTime(connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, permits)));
			}
		}
	}

	@Test
	void leavesNoKeyWithoutAnExpiry() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			for (int index = 0; index < 100; index++) {
				connected.store()
					.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests
						.and(permits("two", "user-" + index % 20, "2/1m", "3/1h"), permits("all", "", "50/1d"))));
			}
		}
		assertThat(REDIS.keys()).hasSize(41).allMatch((key) -> this.redis.pttl(key) > 0);
	}

	@Test
	void writesNothingForACostOfZero() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			List<PermitRequest> free = PermitRequests.of("one", List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)),
					"alice", 0);
			assertThat(connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, free)).allowed()).isTrue();
		}
		assertThat(this.redis.dbsize()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void storesNothingOfTheKeyOfACaller(Driver driver) {
		List<String> callers = List.of("alice@example.com", "", "alice", "alice}", "{alice}:0", "alice".repeat(5000));
		try (ConnectedStore connected = connect(driver)) {
			for (String caller : callers) {
				connected.store()
					.execute(new StoreRequest(StoreOperation.ACQUIRE, permits("one", caller, "9/1h", "99/1d")));
			}
		}
		List<String> keys = REDIS.keys();
		assertThat(keys).hasSize(2 * callers.size())
			.allMatch((key) -> key.matches("test:1:one:\\{[A-Za-z0-9_-]{22}}:(1h|1d)"));
		assertThat(Stream.concat(keys.stream(), keys.stream().map(this.redis::get)))
			.noneMatch((text) -> text.contains("alice") || text.contains("example"));
	}

	@Test
	void sharesOneCountAmongAllStores() {
		List<PermitRequest> permits = permits("one", "alice", "4/1h");
		try (ConnectedStore one = connect(Driver.LETTUCE);
				ConnectedStore two = connect(Driver.LETTUCE);
				ConnectedStore three = connect(Driver.JEDIS)) {
			assertThat(Stream.of(one, two, three, two, one)
				.map((each) -> each.store().execute(new StoreRequest(StoreOperation.ACQUIRE, permits))))
				.extracting(Decision::allowed)
				.containsExactly(true, true, true, true, false);
		}
	}

	@ParameterizedTest
	@EnumSource
	void admitsExactlyTheLimitToManyThreads(Driver driver) throws Exception {
		List<PermitRequest> permits = permits("one", "hot", "50/1h");
		ExecutorService threads = Executors.newFixedThreadPool(200);
		CyclicBarrier start = new CyclicBarrier(200);
		try (ConnectedStore connected = connect(driver)) {
			Callable<Boolean> task = () -> {
				start.await(10, TimeUnit.SECONDS);
				return connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed();
			};
			List<Boolean> admitted = new ArrayList<>();
			for (Future<Boolean> result : threads.invokeAll(Collections.nCopies(200, task))) {
				admitted.add(result.get());
			}
			assertThat(admitted).hasSize(200).filteredOn(Boolean::booleanValue).hasSize(50);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void assertThatItTakesOneCommand(RateLimitStore store, List<PermitRequest> permits) {
		store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits));
		assertThatRedisRanOneScript(() -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)));
		assertThatRedisRanOneScript(() -> async(store, permits));
	}

	/** The commands of the script come on top, and INFO to read them. */
	private void assertThatRedisRanOneScript(Runnable decision) {
		Map<String, Long> before = calls();
		decision.run();
		Map<String, Long> ran = calls();
		ran.replaceAll((command, calls) -> calls - before.getOrDefault(command, 0L));
		ran.values().removeIf((calls) -> calls == 0);
		assertThat(ran).containsEntry("evalsha", 1L);
		assertThat(ran.keySet()).isSubsetOf("evalsha", "time", "get", "set", "info");
	}

	private Map<String, Long> calls() {
		return CALLS.matcher(this.redis.info("commandstats"))
			.results()
			.collect(Collectors.toMap((match) -> match.group(1), (match) -> Long.valueOf(match.group(2))));
	}

	private void assertThatItExpiresInTime(Decision decision) {
		long reset = (decision.storeTimeMicros() + only(decision).resetAfterMicros()) / 1000;
		List<String> keys = REDIS.keys();
		assertThat(keys).hasSize(1);
		assertThat(this.redis.pexpiretime(keys.get(0))).isBetween(reset, reset + 1000);
	}

	private static ConnectedStore connect(Driver driver) {
		return driver.connect(REDIS.port(), Duration.ofSeconds(5));
	}

	private static List<PermitRequest> permits(String policy, String key, String... rates) {
		List<Limit> limits = Stream.of(rates).map((rate) -> Limit.parse(rate, Algorithm.TOKEN_BUCKET)).toList();
		return PermitRequests.of(policy, limits, key, 1);
	}

	private static Decision async(RateLimitStore store, List<PermitRequest> permits) {
		return store.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permits)).toCompletableFuture().join();
	}

	private static LimitDecision only(Decision decision) {
		assertThat(decision.limits()).hasSize(1);
		return decision.limits().get(0);
	}

}
