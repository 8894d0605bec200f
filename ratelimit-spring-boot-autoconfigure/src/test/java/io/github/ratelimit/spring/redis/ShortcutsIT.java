package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Each shortcut at work, by how often Redis is asked. */
class ShortcutsIT {

	private static final int CALLS = 1000;

	private final RedisProcess redis = RedisProcess.start();

	private final RedisRateLimitStore store = RedisRateLimitStore.beside(
			new LettuceConnectionFactory("127.0.0.1", this.redis.port()), "test", Duration.ofSeconds(5),
			Duration.ofSeconds(5));

	@BeforeEach
	void connect() {
		this.store.connect();
		acquire(this.store, "1/1s", "first");
		this.redis.commands().configResetstat();
	}

	@AfterEach
	void disconnect() {
		this.store.close();
		this.redis.close();
	}

	@Test
	void decidesTogetherOnCallsOfOneKey() {
		Shortcuts alone = new Shortcuts(true, 0, Duration.ZERO);
		assertThat(admitted(this.store.with(alone), "600/1h")).isEqualTo(600);
		assertThat(this.redis.commands().info("commandstats")).contains("cmdstat_evalsha:calls=");
		assertThat(runs()).isBetween(2L, CALLS / 2L);
	}

	@Test
	void decidesByOneRunOnCallsOfManyKeys() {
		assertThat(admittedCallers(this.store)).isEqualTo(CALLS);
		assertThat(runs()).isBetween(CALLS / (long) SharedRuns.MOST_CALLS, CALLS / 2L);
	}

	@Test
	void asksRedisForEachKeyWithoutShortcuts() {
		assertThat(admittedCallers(this.store.with(Shortcuts.NONE))).isEqualTo(CALLS);
		assertThat(runs()).isEqualTo(CALLS);
	}

	@Test
	void asksRedisOnceForADenialThatHolds() {
		RedisRateLimitStore denying = this.store.with(new Shortcuts(false, 1024, Duration.ofMinutes(1)));
		acquire(denying, "1/1h", "alice");
		for (int call = 0; call < CALLS; call++) {
			Decision denial = acquire(denying, "1/1h", "alice");
			assertThat(denial.allowed()).isFalse();
			assertThat(Duration.ofNanos(denial.retryAfterMicros() * 1000)).isBetween(Duration.ofMinutes(59),
					Duration.ofHours(1));
		}
		assertThat(runs()).isEqualTo(2);
	}

	@Test
	void asksRedisForEachCallWithoutShortcuts() {
		assertThat(admitted(this.store.with(Shortcuts.NONE), "600/1h")).isEqualTo(600);
		assertThat(runs()).isEqualTo(CALLS);
	}

	@Test
	void admitsTheFirstCallAfterADenialHasEnded() {
		acquire(this.store, "2/1s", "alice");
		Decision last = acquire(this.store, "2/1s", "alice");
		long denials = 0;
		while (!last.allowed()) {
			assertThat(last.retryAfterMicros()).isBetween(1L, 500_000L);
			denials++;
			last = acquire(this.store, "2/1s", "alice");
		}
		assertThat(denials).isGreaterThan(10);
		assertThat(runs()).isLessThanOrEqualTo(5);
	}

	@Test
	void admitsAtOnceWhatWasGivenBackAndReset() {
		acquire(this.store, "1/1h", "alice");
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isFalse();
		this.store.execute(Operation.GIVE_BACK, debits("1/1h", "alice", Long.MAX_VALUE >> 12));
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isTrue();
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isFalse();
		this.store.executeAsync(Operation.RESET, debits("1/1h", "alice", 0)).toCompletableFuture().join();
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isTrue();
	}

	private long admitted(RedisRateLimitStore store, String rate) {
		return admitted(store, (call) -> debits(rate, "alice", 0));
	}

	private long admittedCallers(RedisRateLimitStore store) {
		return admitted(store, (caller) -> debits("1/1h", "caller-" + caller, 0));
	}

	/**
	 * Calls that are all there before Redis answers the first, however late the machine
	 * is.
	 */
	private long admitted(RedisRateLimitStore store, IntFunction<List<Debit>> asked) {
		this.redis.pause();
		List<CompletableFuture<Decision>> calls = IntStream.range(0, CALLS)
			.mapToObj((call) -> store.executeAsync(Operation.ACQUIRE, asked.apply(call)))
			.map(CompletionStage::toCompletableFuture)
			.toList();
		this.redis.resume();
		return calls.stream().map(CompletableFuture::join).filter(Decision::allowed).count();
	}

	private static Decision acquire(RedisRateLimitStore store, String rate, String key) {
		return store.execute(Operation.ACQUIRE, debits(rate, key, 0));
	}

	private static List<Debit> debits(String rate, String key, long time) {
		Limit limit = Limit.parse(rate, Algorithm.LEAKY_BUCKET);
		Limit burst = rate.startsWith("600") ? limit.withBurst(600) : limit;
		return List.of(new Debit(new Clause("quotes", "quotes", 0, burst, 0), key, 1, time));
	}

	private long runs() {
		return Stream.of(this.redis.commands().info("commandstats").split("\\R"))
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
