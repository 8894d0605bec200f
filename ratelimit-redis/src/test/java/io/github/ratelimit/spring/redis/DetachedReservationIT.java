package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.DetachedPairsContract;
import io.github.ratelimit.DetachedParityContract;
import io.github.ratelimit.DetachedReservationContract;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of detached reservations in Redis, with two instances.
 */
@Tag("long")
class DetachedReservationIT {

	private static final RedisProcess REDIS = RedisProcess.start();

	private static final RedisProcess CLUSTER = RedisProcess.start("--cluster-enabled", "yes");

	private static final LettuceConnectionFactory LETTUCE = TestConnections.lettuce(REDIS);

	private static final LettuceConnectionFactory CLUSTERED = new LettuceConnectionFactory(
			new RedisClusterConfiguration(List.of("127.0.0.1:" + CLUSTER.port())));

	private static final JedisConnectionFactory JEDIS = new JedisConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", REDIS.port()));

	private static final TokenTerms STAYING = TokenTerms.expiringAfter(Duration.ofMinutes(1));

	private final String prefix = "detached-" + System.nanoTime();

	private final RateLimiter limiter = limiter();

	@BeforeAll
	@SuppressWarnings("unchecked") // one range of an array of them
	static void connect() {
		CLUSTER.commands().clusterAddSlotsRange(Range.create(0, SlotHash.SLOT_COUNT - 1));
		await().until(() -> CLUSTER.commands().clusterInfo().contains("cluster_state:ok"));
		CLUSTERED.afterPropertiesSet();
		CLUSTERED.start();
		JEDIS.afterPropertiesSet();
		JEDIS.start();
	}

	@AfterAll
	static void disconnect() {
		LETTUCE.destroy();
		CLUSTERED.destroy();
		JEDIS.destroy();
		REDIS.close();
		CLUSTER.close();
	}

	@AfterEach
	void close() {
		this.limiter.close();
	}

	@Test
	void keepsNoKeyForeverAndNothingOfTheCaller() {
		String settled = detach(STAYING, 2);
		detach(STAYING.refundingUnsettled(), 3);
		assertThat(this.limiter.adjust(settled, 1)).isEqualTo(Settlement.SETTLED);
		List<String> keys = REDIS.commands().keys(this.prefix + ":*");
		assertThat(keys).hasSize(4).allSatisfy((key) -> assertThat(REDIS.commands().pttl(key)).isPositive());
		assertThat(detachedKeys()).hasSize(2).allSatisfy((key) -> {
			assertThat(key).doesNotContain("alice");
			assertThat(REDIS.commands().get(key)).doesNotContain("alice");
		});
		assertThat(REDIS.commands().get(detachedKeys().stream().filter(this::isSettled).findFirst().orElseThrow()))
			.hasSizeLessThan(10);
	}

	@Test
	void refundsNothingOfWhatRedisHasLost() {
		String token = detach(STAYING, 5);
		REDIS.commands().flushall();
		this.limiter.acquire(new Charge("plain", "alice", 5));
		assertThat(this.limiter.refund(token)).isEqualTo(Settlement.UNKNOWN);
		assertThat(remaining()).isEqualTo(95);
	}

	@Test
	void failsIfRedisDoesAndCanBeRepeated() {
		String token = detach(STAYING, 5);
		LettuceConnectionFactory nowhere = started(new LettuceConnectionFactory("127.0.0.1", 1));
		RateLimiter failing = new RateLimiter(policies(),
				RedisRateLimitStore.on(nowhere, this.prefix, Duration.ofMillis(200)), List.of());
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> failing.refund(token));
		nowhere.destroy();
		assertThat(this.limiter.refund(token)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining()).isEqualTo(100);
	}

	@Test
	void leavesWhatAnotherVersionHasKeptAndRefundsTheRest() {
		String other = detach(STAYING.refundingUnsettled(), 5);
		String key = detachedKeys().get(0);
		REDIS.commands().set(key, "o" + "\0".repeat(8) + "9 other");
		String due = this.prefix + ":1:{detached}:due";
		REDIS.commands().zadd(due, 0, REDIS.commands().zrange(due, 0, -1).get(0));
		detach(STAYING.refundingUnsettled(), 7);
		long later = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + 120_000_000;
		store().at(() -> later).detachedReservations().refundDue((refunded) -> {
		}).toCompletableFuture().join();
		assertThat(remaining()).isEqualTo(95);
		assertThat(REDIS.commands().zcard(due)).isOne();
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> this.limiter.refund(other));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 4, 300 })
	void refundsTheRestIfTheSetHasMembersOfAnotherForm(int length) {
		String due = this.prefix + ":1:{detached}:due";
		for (int member = 0; member < 70; member++) {
			REDIS.commands().zadd(due, 1, (length > 0) ? "?".repeat(length) + member : "");
		}
		detach(STAYING.refundingUnsettled(), 7);
		long later = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + 120_000_000;
		store().at(() -> later).detachedReservations().refundDue((refunded) -> {
		}).toCompletableFuture().join();
		assertThat(remaining()).isEqualTo(100);
		assertThat(REDIS.commands().zcard(due)).isEqualTo((length > 0) ? 70 : 1);
		assertThat(REDIS.commands().zcount(due, Range.create(0, later))).isZero();
	}

	private boolean isSettled(String key) {
		return REDIS.commands().get(key).startsWith("s");
	}

	private List<String> detachedKeys() {
		return REDIS.commands().keys(this.prefix + ":*}:detached:*");
	}

	private String detach(TokenTerms terms, long cost) {
		return this.limiter.detach(this.limiter.reserve(List.of(new Charge("plain", "alice", cost))), terms);
	}

	private long remaining() {
		return this.limiter.peek(List.of(new Charge("plain", "alice", 0))).limits().get(0).remaining();
	}

	private RateLimiter limiter() {
		return new RateLimiter(policies(), store(), List.of());
	}

	private RedisRateLimitStore store() {
		return RedisRateLimitStore.on(LETTUCE, this.prefix, Duration.ofSeconds(10));
	}

	private static Policies policies() {
		return new Policies(
				List.of(new Policy("plain", List.of(Limit.parse("100/1d fixed-window")), List.of("global"))));
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	@Nested
	class OnACluster extends DetachedReservationContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return RedisRateLimitStore.on(CLUSTERED, DetachedReservationIT.this.prefix, Duration.ofSeconds(10))
				.at(clock);
		}

	}

	@Nested
	class OnJedis extends DetachedParityContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return RedisRateLimitStore.on(JEDIS, DetachedReservationIT.this.prefix, Duration.ofSeconds(10)).at(clock);
		}

	}

	/** With cached denials and batches, on the clock of Redis. */
	@Nested
	class WithAllPairs extends DetachedPairsContract {

		private final String prefix = "pairs-" + System.nanoTime() + "-";

		@Override
		protected RateLimitStore store(String counts) {
			return RedisRateLimitStore.on(LETTUCE, this.prefix + counts, Duration.ofSeconds(10));
		}

	}

}
