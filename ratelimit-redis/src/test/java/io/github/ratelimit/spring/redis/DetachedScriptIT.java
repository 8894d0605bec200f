package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.spring.redis.driver.LettuceScriptRunner;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.DetachedCodec;
import io.github.ratelimit.spring.redis.script.DetachedPlace;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the script that settles a detached charge and corrects its counts, without the
 * one that finds the charge before: whatever happens between them, it decides alone.
 */
class DetachedScriptIT {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private static final long LIFE = 60_000_000;

	private final AtomicLong micros = new AtomicLong(1_790_035_200_000_000L);

	private final ServerClock clock = ServerClock.replacedBy(this.micros::get);

	private final String prefix = "settled-" + System.nanoTime();

	private final ScriptCodec decisions = new ScriptCodec(this.prefix, this.clock);

	private final DetachedCodec codec = new DetachedCodec(this.prefix, this.clock, this.decisions);

	private final ScriptRunner runner = new LettuceScriptRunner(CONNECTIONS, Duration.ofSeconds(10));

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	/** One limit has another script than four. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3, 4 })
	void settlesOnce(int limits) {
		DetachedPlace place = keep(limits, false);
		assertThat(settle(place, limits, false)).isEqualTo(Settlement.SETTLED);
		assertThat(spent(limits)).isEqualTo(limits * 60L);
		assertThat(settle(place, limits, false)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(spent(limits)).isEqualTo(limits * 60L);
	}

	@Test
	void settlesUpToTheEndAndRefundsFromThenOn() {
		DetachedPlace first = keep(1, true);
		DetachedPlace second = keep(1, true);
		this.micros.addAndGet(LIFE - 1);
		assertThat(settle(first, 1, true)).isEqualTo(Settlement.EXPIRED);
		assertThat(settle(first, 1, false)).isEqualTo(Settlement.SETTLED);
		this.micros.addAndGet(1);
		assertThat(settle(second, 1, false)).isEqualTo(Settlement.EXPIRED);
		assertThat(settle(first, 1, true)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(spent(1)).isEqualTo(160);
		assertThat(settle(second, 1, true)).isEqualTo(Settlement.SETTLED);
		assertThat(settle(second, 1, true)).isEqualTo(Settlement.EXPIRED);
		assertThat(settle(second, 1, false)).isEqualTo(Settlement.EXPIRED);
		assertThat(spent(1)).isEqualTo(120);
	}

	@Test
	void settlesNothingThatIsNotThere() {
		charge(1);
		DetachedPlace place = this.codec.place(detached(1));
		assertThat(settle(place, 1, false)).isEqualTo(Settlement.UNKNOWN);
		assertThat(settle(place, 1, true)).isEqualTo(Settlement.UNKNOWN);
		assertThat(spent(1)).isEqualTo(100);
	}

	@Test
	void keepsSettledOnesUntilTheirEndOnly() {
		DetachedPlace place = keep(1, true);
		this.micros.addAndGet(LIFE / 2);
		settle(place, 1, false);
		assertThat(keys("*}:detached:*")).hasSize(1)
			.allSatisfy((key) -> assertThat(timeToLive(key)).isBetween(25_000L, 30_500L));
	}

	/** Charges 100 permits of each limit and keeps the charge. */
	private DetachedPlace keep(int limits, boolean refundUnsettled) {
		charge(limits);
		DetachedCharge charge = detached(limits);
		DetachedPlace place = this.codec.place(charge);
		run(this.codec.keep(place, charge, LIFE, refundUnsettled));
		return place;
	}

	private void charge(int limits) {
		if (limits > 0) {
			run(this.decisions.encode(new StoreRequest(StoreOperation.ACQUIRE, permits(limits, "alice", 100))));
		}
	}

	private DetachedCharge detached(int limits) {
		return new DetachedCharge("policy", "alice", "alice", 1, 100, 100, 100, permits(limits, "alice", 100));
	}

	/** Refunds 40 permits of each limit. */
	private Settlement settle(DetachedPlace place, int limits, boolean isDue) {
		List<PermitRequest> refunds = permits(limits, place.hash(), 40).stream()
			.map((permit) -> permit.refund(40, 1_790_035_200_000_000L))
			.toList();
		return DetachedCodec.settlement(
				run(this.codec.settle(place, new StoreRequest(StoreOperation.REFUND, refunds), isDue)),
				1_790_035_200_000_000L + LIFE);
	}

	private long spent(int limits) {
		if (limits == 0) {
			return 0;
		}
		StoreRequest peek = new StoreRequest(StoreOperation.PEEK, permits(limits, "alice", 0));
		return ScriptCodec.decode(peek, run(this.decisions.encode(peek)))
			.limits()
			.stream()
			.mapToLong((limit) -> 1000 - limit.remaining())
			.sum();
	}

	private static List<PermitRequest> permits(int limits, String key, long cost) {
		return IntStream.range(0, limits)
			.mapToObj(
					(index) -> new PermitRequest(new PolicyLimit("policy", "policy", index,
							AnyLimit.of((index % 2 == 0) ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW_LOG,
									"1000/1d"),
							0), key, cost, 0))
			.toList();
	}

	private byte[] run(ScriptInvocation invocation) {
		return this.runner.run(invocation, new RawReply());
	}

	private List<byte[]> keys(String end) {
		try (RedisConnection connection = CONNECTIONS.getConnection()) {
			return List
				.copyOf(connection.keyCommands().keys((this.prefix + ":" + end).getBytes(StandardCharsets.US_ASCII)));
		}
	}

	private long timeToLive(byte[] key) {
		try (RedisConnection connection = CONNECTIONS.getConnection()) {
			Long millis = connection.keyCommands().pTtl(key);
			return (millis != null) ? millis : 0;
		}
	}

}
