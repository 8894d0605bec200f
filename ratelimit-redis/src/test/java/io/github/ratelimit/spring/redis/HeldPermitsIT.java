package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of permits that calls of two instances hold in Redis.
 */
class HeldPermitsIT {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private static final String PREFIX = "held";

	private final Limit limit = Limit.parse("5 concurrent lease 20s", Algorithm.TOKEN_BUCKET);

	/** A new policy for each test, as tests share Redis. */
	private final String policy = "held-" + System.nanoTime();

	private final RateLimiter one = limiter();

	private final RateLimiter other = limiter();

	@AfterEach
	void close() {
		this.one.close();
		this.other.close();
	}

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Test
	void admitsACallAsSoonAsOneOfAnotherInstanceEnds() {
		List<Reservation> held = IntStream.range(0, 5).mapToObj((call) -> reserve(this.one)).toList();
		for (Reservation reservation : held) {
			assertThat(reserve(this.other).decision().allowed()).isFalse();
			this.one.release(reservation);
			assertThat(reserve(this.other).decision().allowed()).isTrue();
		}
	}

	@Test
	void admitsAsManyCoalescedCallsAsThereArePermits() {
		List<Reservation> reservations = Stream.of(this.one, this.other)
			.flatMap((limiter) -> IntStream.range(0, 50).mapToObj((call) -> limiter.reserveAsync(charges())))
			.map(CompletionStage::toCompletableFuture)
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(reservations).filteredOn(Reservation::holdsPermits).hasSize(5);
		reservations.forEach((held) -> this.one.releaseAsync(held).toCompletableFuture().join());
		assertThat(remaining()).isEqualTo(5);
	}

	@Test
	void waitsForAPermitOfAnotherInstance() throws Exception {
		List<Charge> patient = List.of(charges().get(0).waitingUpTo(Duration.ofSeconds(20)));
		List<Reservation> held = IntStream.range(0, 5).mapToObj((call) -> reserve(this.one)).toList();
		FutureTask<Reservation> onThread = new FutureTask<>(() -> this.other.reserve(patient));
		new Thread(onThread).start();
		CompletableFuture<Reservation> withoutThread = this.other.reserveAsync(patient).toCompletableFuture();
		assertThat(reserve(this.other).decision().allowed()).isFalse();
		assertThat(withoutThread).isNotDone();
		held.subList(0, 2).forEach(this.one::release);
		assertThat(onThread.get(20, TimeUnit.SECONDS).holdsPermits()).isTrue();
		assertThat(withoutThread.get(20, TimeUnit.SECONDS).holdsPermits()).isTrue();
		assertThat(remaining()).isZero();
	}

	@Test
	void keepsNoKeyForLongerThanTheLease() {
		Reservation reservation = reserve(this.one);
		assertThat(timeToLive()).isBetween(19_000L, 20_000L + 200 + 500);
		this.one.release(reservation);
		assertThat(timeToLive()).isLessThanOrEqualTo(500);
	}

	@Test
	void overwritesACountWithABrokenEntry() {
		reserve(this.one);
		try (RedisConnection connection = CONNECTIONS.getConnection()) {
			assertThat(connection.stringCommands().append(key(), "broken".getBytes(StandardCharsets.US_ASCII)))
				.isEqualTo(43 + 14 + 6);
		}
		assertThat(reserve(this.one).decision().limits().get(0).remaining()).isEqualTo(4);
	}

	private RateLimiter limiter() {
		return new RateLimiter(new Policies(List.of(new Policy(this.policy, List.of(this.limit), List.of("global")))),
				RedisRateLimitStore.on(CONNECTIONS, PREFIX, Duration.ofSeconds(5)), List.of());
	}

	private List<Charge> charges() {
		return List.of(Charge.of(this.policy, "a"));
	}

	private Reservation reserve(RateLimiter limiter) {
		return limiter.reserve(charges());
	}

	private long remaining() {
		return this.other.peek(charges()).limits().get(0).remaining();
	}

	private long timeToLive() {
		try (RedisConnection connection = CONNECTIONS.getConnection()) {
			Long millis = connection.keyCommands().pTtl(key(), TimeUnit.MILLISECONDS);
			return (millis != null) ? millis : 0;
		}
	}

	private byte[] key() {
		PermitRequest permit = new PermitRequest(new PolicyLimit(this.policy, this.policy, 200, this.limit, 0), "a", 1,
				0);
		return new ScriptCodec(PREFIX, ServerClock.like(System::currentTimeMillis))
			.encode(StoreRequest.of(StoreOperation.PEEK, permit))
			.keys()[0];
	}

}
