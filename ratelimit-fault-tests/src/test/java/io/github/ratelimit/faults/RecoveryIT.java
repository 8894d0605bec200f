package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The load on a Redis that is back, and the charges that it has kept. */
@ExtendWith(FaultTable.class)
@Tag("slow")
class RecoveryIT {

	private static final int INSTANCES = 8;

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void isProbedRarelyAndNotOverrunOnceBack(Rows table) {
		try (RedisProcess redis = RedisProcess.start()) {
			List<RedisRateLimitStore> stores = Stream.generate(() -> Stores.at(redis.port())).limit(INSTANCES).toList();
			List<Load> loads = stores.stream().map((store) -> Load.on(store, 8)).toList();
			long before = runs(redis);
			Timing.sleep(SECOND);
			long until = runs(redis);
			long steady = until - before;
			redis.pause();
			Timing.sleep(SECOND);
			long open = System.nanoTime();
			Timing.sleep(SECOND.multipliedBy(5));
			long most = loads.stream().mapToLong((load) -> probes(load.since(open))).max().orElseThrow();
			redis.resume();
			Timing.sleep(SECOND);
			long first = runs(redis) - until;
			end(loads, stores);
			assertThat(most).isBetween(1L, 26L);
			assertThat(first).isBetween(1L, 2 * steady);
			table.add("22 Redis hangs for 6 s, 8 instances of 8 threads",
					"of each instance a probe in 200 ms at most; in the first second at most twice the runs of a steady one",
					"at most " + most + " probes of an instance in 5 s; " + first + " runs in the first second, "
							+ steady + " in a steady one");
		}
	}

	@Test
	void keepsItsChargesInACrashWithAnAppendOnlyFile(Rows table) {
		try (RedisProcess redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "everysec");
				RedisRateLimitStore store = Stores.at(redis.port());
				Load load = Load.on(store, 16)) {
			Timing.sleep(SECOND.multipliedBy(3));
			redis.kill();
			long latest = load.since(System.nanoTime() - SECOND.multipliedBy(2).toNanos()).decided();
			Timing.sleep(SECOND);
			load.end();
			redis.restart();
			long decided = load.all().decided();
			long charged = Stores.charged(redis.port());
			assertThat(charged).isBetween(decided - latest, (long) load.all().size());
			table.add("29 Redis crashes and starts with its append-only file",
					"charges of the last 2 s are lost at most",
					Math.max(0, decided - charged) + " of " + decided + " charges lost");
		}
	}

	private static void end(List<Load> loads, List<RedisRateLimitStore> stores) {
		loads.forEach(Load::end);
		stores.forEach(RedisRateLimitStore::close);
	}

	private static long probes(Load.Calls calls) {
		return calls.failed(Kind.TIMEOUT).size();
	}

	private static long runs(RedisProcess redis) {
		return redis.commands()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_evalsha:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
