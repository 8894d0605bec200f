package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.roundtrip.CrossKeyBatcher;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Each of the {@link RedisStoreOptions}, by the number of script runs in Redis. */
class ShortcutsIT {

	private static final int REQUESTS = 1000;

	private final RedisProcess redis = RedisProcess.start();

	private final RedisRateLimitStore store = RedisRateLimitStore.dedicated(
			new LettuceConnectionFactory("127.0.0.1", this.redis.port()), "test", Duration.ofSeconds(5),
			Duration.ofSeconds(5), "test:counts");

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
	void coalescesRequestsOfOneKey() {
		RedisStoreOptions alone = new RedisStoreOptions(true, 0, Duration.ZERO);
		assertThat(admitted(this.store.with(alone), "600/1h")).isEqualTo(600);
		assertThat(this.redis.commands().info("commandstats")).contains("cmdstat_evalsha:calls=");
		assertThat(runs()).isBetween(2L, REQUESTS / 2L);
	}

	@Test
	void batchesRequestsOfManyKeys() {
		assertThat(admittedCallers(this.store)).isEqualTo(REQUESTS);
		assertThat(runs()).isBetween(REQUESTS / (long) CrossKeyBatcher.LARGEST_BATCH, REQUESTS / 2L);
	}

	@Test
	void runsEachKeyAloneWithoutOptions() {
		assertThat(admittedCallers(this.store.with(RedisStoreOptions.NONE))).isEqualTo(REQUESTS);
		assertThat(runs()).isEqualTo(REQUESTS);
	}

	@Test
	void cachesADenial() {
		RedisRateLimitStore denying = this.store.with(new RedisStoreOptions(false, 1024, Duration.ofMinutes(1)));
		acquire(denying, "1/1h", "alice");
		for (int request = 0; request < REQUESTS; request++) {
			Decision denial = acquire(denying, "1/1h", "alice");
			assertThat(denial.allowed()).isFalse();
			assertThat(Duration.ofNanos(denial.retryAfterMicros() * 1000)).isBetween(Duration.ofMinutes(59),
					Duration.ofHours(1));
		}
		assertThat(runs()).isEqualTo(2);
	}

	@Test
	void runsEachRequestAloneWithoutOptions() {
		assertThat(admitted(this.store.with(RedisStoreOptions.NONE), "600/1h")).isEqualTo(600);
		assertThat(runs()).isEqualTo(REQUESTS);
	}

	@Test
	void admitsTheFirstRequestAfterADenialExpires() {
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
	void admitsAtOnceAfterARefundOrReset() {
		acquire(this.store, "1/1h", "alice");
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isFalse();
		PermitRequest charged = permits("1/1h", "alice", 0).get(0);
		this.store.execute(StoreRequest.of(StoreOperation.REFUND, charged.refund(1, Long.MAX_VALUE >> 12)));
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isTrue();
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isFalse();
		this.store.executeAsync(new StoreRequest(StoreOperation.RESET, permits("1/1h", "alice", 0)))
			.toCompletableFuture()
			.join();
		assertThat(acquire(this.store, "1/1h", "alice").allowed()).isTrue();
	}

	private long admitted(RedisRateLimitStore store, String rate) {
		return admitted(store, (request) -> permits(rate, "alice", 0));
	}

	private long admittedCallers(RedisRateLimitStore store) {
		return admitted(store, (caller) -> permits("1/1h", "caller-" + caller, 0));
	}

	/** Sends all requests before Redis replies to the first, even on a slow machine. */
	private long admitted(RedisRateLimitStore store, IntFunction<List<PermitRequest>> permits) {
		this.redis.pause();
		List<CompletableFuture<Decision>> decisions = IntStream.range(0, REQUESTS)
			.mapToObj((request) -> store.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permits.apply(request))))
			.map(CompletionStage::toCompletableFuture)
			.toList();
		this.redis.resume();
		return decisions.stream().map(CompletableFuture::join).filter(Decision::allowed).count();
	}

	private static Decision acquire(RedisRateLimitStore store, String rate, String key) {
		return store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits(rate, key, 0)));
	}

	private static List<PermitRequest> permits(String rate, String key, long time) {
		Limit limit = Limit.parse(rate, Algorithm.LEAKY_BUCKET);
		Limit burst = rate.startsWith("600") ? limit.withBurst(600) : limit;
		return List.of(new PermitRequest(new PolicyLimit("quotes", "quotes", 0, burst, 0), key, 1, time));
	}

	private long runs() {
		return Stream.of(this.redis.commands().info("commandstats").split("\\R"))
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
