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
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What decisions cost Redis and leave in it, by Redis' own account.
 */
class RedisFactsIT {

	/** Of its own, so that nothing else counts. */
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
			List<Debit> call = debits("one", "alice", "9/1h");
			assertThatItTakesOneCommand(connected.store(), call);
		}
	}

	@ParameterizedTest
	@EnumSource
	void decidesTwoChargesOfTwoLimitsByOneCommand(Driver driver) {
		try (ConnectedStore connected = connect(driver)) {
			List<Debit> call = Debits.and(debits("two", "alice", "9/1h", "99/1d"),
					debits("other", "bob", "9/1m", "99/1h"));
			assertThatItTakesOneCommand(connected.store(), call);
			assertThat(this.redis.dbsize()).isEqualTo(4);
		}
	}

	@ParameterizedTest
	@EnumSource
	void losesNoDecisionWhenRedisForgetsItsScripts(Driver driver) {
		List<Debit> call = debits("one", "alice", "9/1h");
		try (ConnectedStore connected = connect(driver)) {
			for (long remaining = 8; remaining > 0; remaining -= 2) {
				this.redis.scriptFlush();
				assertThat(only(connected.store().execute(Operation.ACQUIRE, call)).remaining()).isEqualTo(remaining);
				this.redis.scriptFlush();
				assertThat(only(async(connected.store(), call)).remaining()).isEqualTo(remaining - 1);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "10/1m", "7/1h", "1/30d", "3/366d", "100000/1m", "10/1m leaky-bucket",
			"10/1m fixed-window", "10/1m sliding-window-counter", "10/1m sliding-window-log" })
	void expiresEveryKeyWithinASecondOfItsReset(String rate) {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			RateLimitStore store = connected.store();
			for (long cost : new long[] { 1, 0, 1_000_000 }) {
				Limit limit = Limit.parse(rate, Algorithm.TOKEN_BUCKET);
				List<Debit> debits = Debits.of("one", List.of(limit), "alice", Math.min(cost, limit.burst()));
				assertThatItExpiresInTime(store.execute(Operation.ACQUIRE, debits));
			}
		}
	}

	@Test
	void expiresALogWithinASecondOfItsResetHoweverLongItIs() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			for (int call = 0; call < 300; call++) {
				List<Debit> debits = debits("one", "alice", "250/2s sliding-window-log");
				assertThatItExpiresInTime(connected.store().execute(Operation.ACQUIRE, debits));
			}
		}
	}

	@Test
	void leavesNoKeyWithoutAnExpiry() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			for (int index = 0; index < 100; index++) {
				connected.store()
					.execute(Operation.ACQUIRE, Debits.and(debits("two", "user-" + index % 20, "2/1m", "3/1h"),
							debits("all", "", "50/1d")));
			}
		}
		assertThat(this.redis.keys("*")).hasSize(41).allMatch((key) -> this.redis.pttl(key) > 0);
	}

	@Test
	void writesNothingForAQuestion() {
		try (ConnectedStore connected = connect(Driver.LETTUCE)) {
			List<Debit> question = Debits.of("one", List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)), "alice", 0);
			assertThat(connected.store().execute(Operation.ACQUIRE, question).allowed()).isTrue();
		}
		assertThat(this.redis.dbsize()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void leavesNothingOfACallersKeyInRedis(Driver driver) {
		List<String> callers = List.of("alice@example.com", "", "alice", "alice}", "{alice}:0", "alice".repeat(5000));
		try (ConnectedStore connected = connect(driver)) {
			for (String caller : callers) {
				connected.store().execute(Operation.ACQUIRE, debits("one", caller, "9/1h", "99/1d"));
			}
		}
		List<String> keys = this.redis.keys("*");
		assertThat(keys).hasSize(2 * callers.size())
			.allMatch((key) -> key.matches("test:1:\\{one:[A-Za-z0-9_-]{22}}:(1h|1d)"));
		assertThat(Stream.concat(keys.stream(), keys.stream().map(this.redis::get)))
			.noneMatch((text) -> text.contains("alice") || text.contains("example"));
	}

	@Test
	void sharesOneCountAmongAllStores() {
		List<Debit> call = debits("one", "alice", "4/1h");
		try (ConnectedStore one = connect(Driver.LETTUCE);
				ConnectedStore two = connect(Driver.LETTUCE);
				ConnectedStore three = connect(Driver.JEDIS)) {
			assertThat(
					Stream.of(one, two, three, two, one).map((each) -> each.store().execute(Operation.ACQUIRE, call)))
				.extracting(Decision::allowed)
				.containsExactly(true, true, true, true, false);
		}
	}

	@ParameterizedTest
	@EnumSource
	void admitsExactlyTheLimitToManyThreadsByTheClockOfRedis(Driver driver) throws Exception {
		List<Debit> call = debits("one", "hot", "50/1h");
		ExecutorService threads = Executors.newFixedThreadPool(200);
		CyclicBarrier start = new CyclicBarrier(200);
		try (ConnectedStore connected = connect(driver)) {
			Callable<Boolean> task = () -> {
				start.await(10, TimeUnit.SECONDS);
				return connected.store().execute(Operation.ACQUIRE, call).allowed();
			};
			List<Boolean> admitted = new ArrayList<>();
			for (Future<Boolean> answer : threads.invokeAll(Collections.nCopies(200, task))) {
				admitted.add(answer.get());
			}
			assertThat(admitted).hasSize(200).filteredOn(Boolean::booleanValue).hasSize(50);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void assertThatItTakesOneCommand(RateLimitStore store, List<Debit> call) {
		store.execute(Operation.ACQUIRE, call);
		assertThatRedisRanOneScript(() -> store.execute(Operation.ACQUIRE, call));
		assertThatRedisRanOneScript(() -> async(store, call));
	}

	/** Beside the script's own commands, and INFO to see them. */
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
		List<String> keys = this.redis.keys("*");
		assertThat(keys).hasSize(1);
		assertThat(this.redis.pexpiretime(keys.get(0))).isBetween(reset, reset + 1000);
	}

	private static ConnectedStore connect(Driver driver) {
		return driver.connect(REDIS.port(), Duration.ofSeconds(5));
	}

	private static List<Debit> debits(String policy, String key, String... rates) {
		List<Limit> limits = Stream.of(rates).map((rate) -> Limit.parse(rate, Algorithm.TOKEN_BUCKET)).toList();
		return Debits.of(policy, limits, key, 1);
	}

	private static Decision async(RateLimitStore store, List<Debit> debits) {
		return store.executeAsync(Operation.ACQUIRE, debits).toCompletableFuture().join();
	}

	private static LimitDecision only(Decision decision) {
		assertThat(decision.limits()).hasSize(1);
		return decision.limits().get(0);
	}

}
