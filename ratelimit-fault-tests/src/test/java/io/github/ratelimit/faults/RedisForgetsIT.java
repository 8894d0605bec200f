package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.redis.TcpProxy.Mode;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.RedisStoreOptions;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A Redis that loses counts by eviction or by a failover, or whose clock steps. */
@ExtendWith(FaultTable.class)
@Tag("slow")
class RedisForgetsIT {

	private static final int BURST = 10;

	private static final List<PermitRequest> TEN_IN_TEN_SECONDS = PermitRequests.of("steps",
			List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(BURST + "/10s"))), "key", 1);

	@Test
	void losesOnlyEvictedCounts(Rows table) {
		try (RedisProcess redis = RedisProcess.start("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru");
				RedisRateLimitStore store = Stores.patient(redis.port())) {
			List<String> keys = IntStream.range(0, 20_000).mapToObj((key) -> "key-" + key).toList();
			keys.forEach((key) -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.one(key))));
			List<Long> charges = keys.stream().map((key) -> FaultPermits.charged(store, key)).toList();
			long evicted = evicted(redis);
			long forgotten = charges.stream().filter((charge) -> charge == 0).count();
			assertThat(charges).containsOnly(0L, 1L);
			assertThat(forgotten).isPositive().isLessThanOrEqualTo(evicted);
			table.add("17 Redis with 3 MB evicts some of 20,000 keys", "only evicted keys start empty again", evicted
					+ " keys evicted; " + forgotten + " keys started empty again; all others kept their counts");
		}
	}

	@Test
	void losesAtMostUnreplicatedCharges(Rows table) {
		try (RedisProcess master = RedisProcess.start();
				TcpProxy network = TcpProxy.to(master.port());
				RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(network.port()));
				RedisRateLimitStore before = Stores.patient(master.port())) {
			Timing.until(Duration.ofSeconds(20),
					() -> replica.commands().info("replication").contains("master_link_status:up"));
			charge(before, 50);
			Timing.until(Duration.ofSeconds(5), () -> replica.commands().dbsize() == 1);
			Timing.sleep(Duration.ofMillis(500));
			network.mode(Mode.HOLE);
			charge(before, 50);
			master.kill();
			network.reset();
			replica.commands().replicaofNoOne();
			try (RedisRateLimitStore after = Stores.patient(replica.port())) {
				long kept = FaultPermits.charged(after, "key");
				assertThat(kept).isBetween(50L, 100L);
				table.add("10 Failover loses 50 of 100 charges", "at most the lost charges are admitted again",
						kept + " of 100 charges kept");
			}
		}
	}

	/** Denials are not cached here, as a cached one is valid for a second. */
	@Test
	void admitsOneBurstAtMostWhenTheClockSteps(Rows table) {
		SteppedClock clock = SteppedClock.compile();
		try (RedisProcess redis = clock.redis();
				RedisRateLimitStore store = Stores.patient(redis.port()).with(RedisStoreOptions.NONE)) {
			List<String> figures = new ArrayList<>();
			Duration offset = Duration.ZERO;
			for (Duration step : List.of(Duration.ofSeconds(-30), Duration.ofSeconds(60), Duration.ofHours(1),
					Duration.ofHours(-1))) {
				admitted(store);
				offset = offset.plus(step);
				clock.step(offset);
				int admitted = admitted(store);
				long wait = acquire(store).limits().get(0).retryAfterMicros();
				int due = step.isNegative() ? 0 : BURST;
				assertThat(admitted).isBetween(due, due + 1);
				assertThat(wait).isBetween(0L, 10_000_000L);
				figures.add(step + ": " + admitted + " admitted, then " + wait / 1000 + " ms to wait");
			}
			table.add("23 Clock of Redis steps, 10/10s used up",
					"forward one burst at most, back none; never longer to wait than a refill (1 permit of tolerance for the time the test takes)",
					String.join("; ", figures));
		}
	}

	private static void charge(RedisRateLimitStore store, int times) {
		for (int time = 0; time < times; time++) {
			store.execute(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.one("key")));
		}
	}

	private static int admitted(RedisRateLimitStore store) {
		int admitted = 0;
		while (acquire(store).allowed()) {
			admitted++;
		}
		return admitted;
	}

	private static Decision acquire(RedisRateLimitStore store) {
		return store.execute(new StoreRequest(StoreOperation.ACQUIRE, TEN_IN_TEN_SECONDS));
	}

	private static long evicted(RedisProcess redis) {
		return redis.commands()
			.info("stats")
			.lines()
			.filter((line) -> line.startsWith("evicted_keys:"))
			.mapToLong((line) -> Long.parseLong(line.substring("evicted_keys:".length())))
			.sum();
	}

}
