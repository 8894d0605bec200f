package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.redis.TcpProxy.Mode;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.ScriptOutputType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections that break or end in nothing, and a Redis that drops its scripts or starts
 * late.
 */
@Tag("long")
@ExtendWith(FaultTable.class)
class NetworkFailsIT {

	@Test
	void chargesOnceIfConnectionsAreCutBeforeTheReply(Rows table) {
		cuts(2, 10, table);
	}

	@Test
	@Tag("slow")
	void chargesOnceIfAThousandConnectionsAreCutBeforeTheReply(Rows table) {
		cuts(8, 125, table);
	}

	private static void cuts(int stores, int each, Rows table) {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = Stores.patient(redis.port())) {
			List<Cuts> all = IntStream.range(0, stores)
				.parallel()
				.mapToObj((index) -> Cuts.make(redis, "key-" + index, each))
				.toList();
			long decided = all.stream().mapToLong(Cuts::decided).sum();
			long calls = decided + all.stream().mapToLong(Cuts::lost).sum();
			long timeouts = all.stream().mapToLong(Cuts::timeouts).sum();
			long charges = all.stream().mapToLong((cuts) -> FaultPermits.charged(store, cuts.key())).sum();
			assertThat(charges).isBetween(decided, calls + timeouts);
			table.add("06 " + stores * each + " connections cut before the answer", "charges at most calls",
					charges + " charges of " + calls + " calls and " + timeouts + " that timed out");
		}
	}

	/** The rig detects a default: Lettuce sends a command again. */
	@Test
	void detectsThatLettuceByDefaultChargesTwice() {
		try (RedisProcess redis = RedisProcess.start(); TcpProxy proxy = TcpProxy.to(redis.port())) {
			LettuceConnectionFactory byDefault = new LettuceConnectionFactory("127.0.0.1", proxy.port());
			byDefault.afterPropertiesSet();
			RedisRateLimitStore store = RedisRateLimitStore.on(byDefault, "faults", Duration.ofSeconds(10));
			assertThat(Stores.tryAcquire(store, "key")).isTrue();
			assertThat(Cuts.make(store, proxy, "key", false).join().allowed()).isTrue();
			assertThat(FaultPermits.charged(store, "key")).isEqualTo(3);
			store.close();
			byDefault.destroy();
		}
	}

	@Test
	void recoversFromAConnectionThatEndsInNothing(Rows table) {
		endsInNothing("", table);
	}

	static void endsInNothing(String where, Rows table) {
		try (RedisProcess redis = RedisProcess.start();
				TcpProxy proxy = TcpProxy.to(redis.port());
				RedisRateLimitStore store = Stores.at(proxy.port());
				Load load = Load.on(store, 16)) {
			long begin = System.nanoTime();
			proxy.strand();
			Timing.until(Duration.ofSeconds(5), () -> load.since(begin).failed(Kind.OPEN).size() > 0);
			Duration recovery = load.recoveryAfter(System.nanoTime());
			assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(5));
			table.add("07 Connection goes dead without being closed" + where, "deciding again within 5 s",
					"after " + recovery.toMillis() / 1e3 + " s");
		}
	}

	@Test
	@Tag("slow")
	void recoversFromANetworkThatDelayedEverything(Rows table) {
		delaysEverything("", table);
	}

	static void delaysEverything(String where, Rows table) {
		try (RedisProcess redis = RedisProcess.start();
				TcpProxy proxy = TcpProxy.to(redis.port());
				RedisRateLimitStore store = Stores.at(proxy.port());
				Load load = Load.on(store, 16)) {
			proxy.mode(Mode.HOLE);
			Timing.sleep(Duration.ofSeconds(8));
			long passing = System.nanoTime();
			proxy.mode(Mode.PASS);
			Duration recovery = load.recoveryAfter(passing);
			assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(2));
			Timing.sleep(Duration.ofMillis(500));
			load.end();
			long late = Stores.charged(redis.port()) - load.all().decided();
			int timeouts = load.all().failed(Kind.TIMEOUT).size();
			assertThat(late).isBetween(0L, (long) timeouts);
			table.add("07 Network holds everything back for 8 s" + where,
					"deciding again within 2 s; late charges only of calls that timed out", "after "
							+ recovery.toMillis() / 1e3 + " s; " + late + " late charges of " + timeouts + " timeouts");
		}
	}

	@Test
	void decidesWithinTwoSecondsOfRedisComingUp(Rows table) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.kill();
			try (RedisRateLimitStore store = Stores.at(redis.port())) {
				for (int call = 0; call < 20; call++) {
					assertThat(Stores.tryAcquire(store, "key")).isFalse();
					Timing.sleep(Duration.ofMillis(100));
				}
				redis.restart();
				Duration recovery = Timing.until(Duration.ofSeconds(2), () -> Stores.tryAcquire(store, "key"));
				table.add("08 Redis is down at the start", "deciding within 2 s of Redis",
						"after " + recovery.toMillis() / 1e3 + " s");
			}
		}
	}

	@Test
	void failsNothingWhileScriptsAreFlushed(Rows table) {
		try (RedisProcess redis = RedisProcess.start();
				RedisRateLimitStore store = Stores.patient(redis.port());
				Load load = Load.on(store, 16)) {
			for (int flush = 0; flush < 200; flush++) {
				redis.commands().scriptFlush();
				Timing.sleep(Duration.ofMillis(10));
			}
			load.end();
			assertThat(load.all().failures()).isEmpty();
			assertThat(Stores.charged(redis.port())).isEqualTo(load.all().size());
			table.add("09 Scripts are flushed every 10 ms", "no failure; charges equal calls",
					"0 failures; " + load.all().size() + " charges of as many calls");
		}
	}

	@Test
	void decidesWithinTwoSecondsOfRedisHavingLoaded(Rows table) {
		try (RedisProcess redis = RedisProcess.start("--loading-process-events-interval-bytes", "1024")) {
			redis.commands()
				.eval("for i = 1, 50000 do redis.call('SET', i, 'x') end return 'OK'", ScriptOutputType.STATUS);
			redis.commands().save();
			try (RedisRateLimitStore store = Stores.at(redis.port()); Load load = Load.on(store, 16)) {
				long begin = System.nanoTime();
				redis.kill();
				redis.startAgain("--key-load-delay", "50");
				Timing.until(Duration.ofSeconds(10), () -> load.since(begin).failed(Kind.LOADING).size() > 0);
				redis.awaitPong();
				Duration recovery = load.recoveryAfter(System.nanoTime());
				assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(2));
				table.add("19 Redis loads its data", "kind `loading`; deciding within 2 s of the end",
						"after " + recovery.toMillis() / 1e3 + " s");
			}
		}
	}

}
