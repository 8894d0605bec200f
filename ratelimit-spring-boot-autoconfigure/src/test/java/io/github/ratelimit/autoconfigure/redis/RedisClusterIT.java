package io.github.ratelimit.autoconfigure.redis;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.redis.RedisCluster;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.github.ratelimit.autoconfigure.redis.RedisApplication.application;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.async;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.limiter;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.only;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.remaining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose Redis is a cluster. Each test has keys of its own.
 */
@Tag("long")
class RedisClusterIT {

	private static final RedisCluster CLUSTER = RedisCluster.start();

	@AfterAll
	static void stop() {
		CLUSTER.close();
	}

	@OnEachDriver
	void countsManyKeysOnAllNodes(String driver) {
		onCluster(driver, (limiter) -> {
			List<Charge> charges = charges("three", driver + "-many-", 100);
			for (int remaining = 2; remaining >= 0; remaining--) {
				assertThat(charges).extracting((charge) -> only(limiter.acquire(charge)).remaining())
					.containsOnly((long) remaining);
			}
			assertThat(charges).noneMatch((charge) -> limiter.acquire(charge).allowed());
			assertThat(CLUSTER.commands()).allMatch((node) -> node.dbsize() > 10);
		});
	}

	@OnEachDriver
	void decidesTheLimitsOfAPolicyTogether(String driver) {
		onCluster(driver, (limiter) -> {
			List<Charge> charges = charges("both", driver + "-both-", 20);
			assertThat(charges).extracting((charge) -> remaining(limiter.acquire(charge)))
				.containsOnly(List.of(1L, 99L));
			assertThat(charges).extracting((charge) -> remaining(limiter.acquire(charge)))
				.containsOnly(List.of(0L, 98L));
			assertThat(charges).noneMatch((charge) -> limiter.acquire(charge).allowed());
		});
	}

	@OnEachDriver
	void decidesAfterEveryNodeForgotItsScripts(String driver) {
		onCluster(driver, (limiter) -> {
			List<Charge> charges = charges("three", driver + "-flushed-", 20);
			assertThat(charges).allMatch((charge) -> limiter.acquire(charge).allowed());
			CLUSTER.commands().forEach(RedisCommands::scriptFlush);
			assertThat(charges).extracting((charge) -> only(limiter.acquire(charge)).remaining()).containsOnly(1L);
			CLUSTER.commands().forEach(RedisCommands::scriptFlush);
			assertThat(charges).extracting((charge) -> only(async(limiter, charge)).remaining()).containsOnly(0L);
		});
	}

	@OnEachDriver
	void decidesPoliciesOfOneKeyInOneRun(String driver) {
		onCluster(driver, (limiter) -> {
			List<List<Charge>> calls = IntStream.range(0, 20)
				.mapToObj((caller) -> List.of(Charge.of("three", driver + "-one-" + caller),
						Charge.of("both", driver + "-one-" + caller)))
				.toList();
			limiter.acquire(calls.get(0));
			CLUSTER.commands().forEach(RedisCommands::configResetstat);
			assertThat(calls.subList(1, 20)).extracting((call) -> remaining(limiter.acquire(call)))
				.containsOnly(List.of(2L, 1L, 99L));
			calls.subList(1, 20).forEach((call) -> limiter.acquireAsync(call).toCompletableFuture().join());
			assertThat(calls.subList(1, 20)).noneMatch((call) -> limiter.acquire(call).allowed());
			assertThat(runs()).isLessThanOrEqualTo(3 * 19 + 2);
			assertThat(calls.subList(1, 20)).extracting((call) -> remaining(limiter.peek(call)))
				.containsOnly(List.of(1L, 0L, 98L));
		});
	}

	@OnEachDriver
	void chargesAllOrNothingWhereTheChargesOfACallAreInDifferentSlots(String driver) {
		onCluster(driver, (limiter) -> {
			Charge one = Charge.of("three", driver + "-slots");
			Charge other = Charge.of("both", driver + "-others");
			List<Charge> call = List.of(one, other);
			assertThat(remaining(limiter.acquire(call))).containsExactly(2L, 1L, 99L);
			assertThat(remaining(limiter.acquireAsync(call).toCompletableFuture().join())).containsExactly(1L, 0L, 98L);
			Decision denied = limiter.acquire(call);
			assertThat(denied.limits()).extracting(LimitDecision::allowed).containsExactly(true, false, true);
			assertThat(remaining(limiter.peek(List.of(one)))).containsExactly(1L);
			assertThat(remaining(limiter.peek(List.of(other)))).containsExactly(0L, 98L);
			limiter.reset("both", driver + "-others");
			Reservation reservation = limiter.reserve(call);
			limiter.refund(reservation);
			assertThat(remaining(limiter.peek(call))).containsExactly(1L, 2L, 100L);
			limiter.acquire(one);
			assertThat(limiter.acquireAsync(call).toCompletableFuture().join().allowed()).isFalse();
			assertThat(remaining(limiter.peek(List.of(other)))).containsExactly(2L, 100L);
		});
	}

	private static long runs() {
		return CLUSTER.commands()
			.stream()
			.flatMap((node) -> node.info("commandstats").lines())
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

	@Test
	void namesItsConnectionToEachNode() {
		onCluster("lettuce", (limiter) -> {
			charges("three", "named-", 100).forEach(limiter::acquire);
			assertThat(CLUSTER.commands()).allSatisfy((node) -> assertThat(node.clientList().lines())
				.filteredOn((line) -> line.contains(" name=ratelimit:counts "))
				.isNotEmpty());
		});
	}

	private static List<Charge> charges(String policy, String keys, int count) {
		return IntStream.range(0, count).mapToObj((index) -> Charge.of(policy, keys + index)).toList();
	}

	private static void onCluster(String driver, Consumer<RateLimiter> test) {
		application(driver, "cluster.nodes=" + CLUSTER.nodes()).run((context) -> test.accept(limiter(context)));
	}

}
