package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Two instances of an application while Redis fails, by their policies. */
@Tag("long")
@ExtendWith(FaultTable.class)
class OnStoreFailureIT {

	private static final int THREADS = 16;

	private static final Duration SOON = Duration.ofSeconds(2);

	private static final String PROMISE = "`allow` and `local`: no failure, p99 at most 110 ms; `local`: an instance"
			+ " admits its share and no more; enforcing again within 2 s";

	private final AtomicReference<String> caller = new AtomicReference<>("warm");

	@ParameterizedTest
	@EnumSource
	void appliesOnStoreFailureOfEachPolicy(Fault fault, Rows table) {
		try (RedisProcess redis = RedisProcess.start();
				Instance one = Instance.on(redis.port());
				Instance other = Instance.on(redis.port())) {
			spendTheLimit(one);
			List<Instance.PolicyCalls> share = List.of(one.calls("share"), other.calls("share"));
			List<Load> loads = Stream.concat(share.stream(), Stream.of(one.calls("open"), other.calls("open")))
				.map(this::load)
				.toList();
			long begin = System.nanoTime();
			fault.begin.accept(redis);
			this.caller.set("somebody");
			Timing.sleep(Duration.ofSeconds(3));
			assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> one.call("strict", "somebody"));
			loads.forEach(Load::end);
			assertThat(share).extracting((calls) -> calls.admitted("somebody")).containsExactly(10L, 10L);
			assertThatOutcomesAreCounted(one);
			Load.Calls calls = withoutFailure(loads, begin);
			fault.end.accept(redis);
			Duration recovery = Timing.until(SOON, () -> one.enforces() && other.enforces());
			assertThat(one.call("share", "somebody").allowed()).isEqualTo(fault == Fault.CRASHES);
			table.add(fault.row, PROMISE, figures(calls, recovery));
		}
	}

	@Test
	void startsAndServesWithoutRedis(Rows table) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.kill();
			try (Instance instance = Instance.on(redis.port())) {
				assertThat(IntStream.range(0, 30)).allMatch((call) -> instance.call("open", "somebody").allowed());
				assertThat(IntStream.range(0, 30).filter((call) -> instance.call("share", "somebody").allowed()))
					.hasSize(10);
				assertThatExceptionOfType(RateLimitStoreException.class)
					.isThrownBy(() -> instance.call("strict", "somebody"));
				redis.restart();
				Duration recovery = Timing.until(SOON, instance::enforces);
				assertThat(IntStream.range(0, 30).filter((call) -> instance.call("open", "somebody").allowed()))
					.hasSize(20);
				table.add("08 Redis is down at the start, by `on-store-failure`",
						"starts and serves as the policies say; enforcing within 2 s of Redis",
						"after " + recovery.toMillis() / 1e3 + " s");
			}
		}
	}

	private Load load(Instance.PolicyCalls calls) {
		return Load.on(calls, THREADS, () -> FaultPermits.one(this.caller.get()));
	}

	private static void spendTheLimit(Instance instance) {
		Timing.until(Duration.ofSeconds(10), instance::enforces);
		assertThat(IntStream.range(0, 30).filter((call) -> instance.call("share", "somebody").allowed())).hasSize(20);
		assertThat(instance.outcomes("share", "fallback_allowed")).isZero();
	}

	private static void assertThatOutcomesAreCounted(Instance instance) {
		assertThat(instance.outcomes("open", "failed_open")).isPositive();
		assertThat(instance.outcomes("share", "fallback_allowed")).isGreaterThanOrEqualTo(10);
		assertThat(instance.outcomes("share", "fallback_denied")).isPositive();
		assertThat(instance.outcomes("strict", "failed_closed")).isOne();
	}

	private static Load.Calls withoutFailure(List<Load> loads, long since) {
		Load.Calls calls = new Load.Calls(loads.stream().flatMap((load) -> load.since(since).all().stream()).toList());
		assertThat(calls.failures()).isEmpty();
		assertThat(calls.p99()).isLessThanOrEqualTo(Stores.TIMEOUT.toMillis() + 10 + calls.p99OfMachine());
		return calls;
	}

	private static String figures(Load.Calls calls, Duration recovery) {
		return String.format(Locale.ROOT,
				"0 failures of %d calls, p99 %.2f ms; 10 of 20 by each of 2 instances; enforcing after %.2f s",
				calls.size(), calls.p99(), recovery.toMillis() / 1e3);
	}

	/** The ways for Redis to fail. */
	enum Fault {

		HANGS("03 Redis hangs for 3 s, by `on-store-failure`", RedisProcess::pause, RedisProcess::resume),

		CRASHES("02 Redis crashes, by `on-store-failure`", RedisProcess::kill, RedisProcess::restart);

		private final String row;

		private final Consumer<RedisProcess> begin;

		private final Consumer<RedisProcess> end;

		Fault(String row, Consumer<RedisProcess> begin, Consumer<RedisProcess> end) {
			this.row = row;
			this.begin = begin;
			this.end = end;
		}

	}

}
