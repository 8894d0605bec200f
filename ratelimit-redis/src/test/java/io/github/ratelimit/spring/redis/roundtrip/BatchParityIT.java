package io.github.ratelimit.spring.redis.roundtrip;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.spring.redis.DecisionParityIT;
import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.TestConnections;
import io.github.ratelimit.spring.redis.driver.LettuceScriptRunner;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.BatchCodec;
import io.github.ratelimit.spring.redis.script.ScriptAssembler;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parity of batches: requests in one run are decided as if they came one by one at
 * one instant. {@code -Dtest.traces} and {@code -Dtest.seed} as for
 * {@link DecisionParityIT}.
 */
class BatchParityIT {

	private static final int TRACES = Integer.getInteger("test.traces", 200);

	private static final long SEED = Long.getLong("test.seed", System.nanoTime());

	private static final String TRACE = "seed %d, trace %d, call %d of %s";

	private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());

	private static final List<String> RATES = List.of("10/1s", "7/1s", "1/1s", "13/17ms", "300000/1s", "50/1m");

	private static final ReplyHandler<byte[], byte[]> RAW = new RawReply();

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final ScriptRunner runner = new LettuceScriptRunner(CONNECTIONS, Duration.ofSeconds(10));

	private final ScriptCodec codec = new ScriptCodec("batch", ServerClock.replacedBy(this.clock::get));

	private final RateLimitStore memory = new MemoryRateLimitStore(1_000_000, this.clock::get);

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Test
	void decidesACoalescedBatchAsOneByOne() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			List<PermitRequest> permits = permits(random, SEED + "-" + trace);
			for (int batch = 0; batch < 10; batch++) {
				int size = 1 + random.nextInt(12);
				List<Decision> together = together(permits, size);
				List<Decision> alone = IntStream.range(0, size)
					.mapToObj((call) -> this.memory.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)))
					.toList();
				for (int call = 0; call < size; call++) {
					assertAlike(together.get(call), alone.get(call), TRACE, SEED, trace, call, permits);
				}
				assertThat(together.get(size - 1)).as(TRACE, SEED, trace, size - 1, permits)
					.isEqualTo(alone.get(size - 1));
				this.clock.addAndGet(random.nextLong(permits.get(0).limit().rate().periodMicros()));
			}
		}
	}

	/** Keys may be the same or others; limits have the same rules. */
	@Test
	void decidesACrossKeyBatchAsOneByOne() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			List<Algorithm> algorithms = IntStream.rangeClosed(0, random.nextInt(ScriptAssembler.FEW))
				.mapToObj((index) -> ALGORITHMS.get(random.nextInt(ALGORITHMS.size())))
				.toList();
			String keys = SEED + "-shared-" + trace + "-";
			for (int run = 0; run < 10; run++) {
				List<List<PermitRequest>> requests = IntStream.rangeClosed(0, random.nextInt(12))
					.mapToObj((call) -> permits(random, keys + random.nextInt(6), algorithms))
					.toList();
				List<Decision> alone = requests.stream()
					.map((permits) -> this.memory.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)))
					.toList();
				assertThat(inOneRun(requests)).as("seed %d, trace %d, %s", SEED, trace, requests).isEqualTo(alone);
				this.clock.addAndGet(random.nextLong(1_000_000));
			}
		}
	}

	private List<Decision> inOneRun(List<List<PermitRequest>> permits) {
		List<StoreRequest> requests = permits.stream().map(BatchParityIT::acquire).toList();
		byte[] reply = this.runner.run(BatchCodec.encode(requests.stream().map(this.codec::encode).toList(), 0), RAW);
		List<Decision> decisions = new ArrayList<>();
		for (int index = 0; index < requests.size(); index++) {
			byte[] part = Objects.requireNonNull(BatchCodec.decode(reply, index, requests.size()));
			decisions.add(ScriptCodec.decode(requests.get(index), part));
		}
		return decisions;
	}

	/** The reset of a batch may be that of a later request. */
	private static void assertAlike(Decision together, Decision alone, String as, Object... arguments) {
		assertThat(together.storeTimeMicros()).as(as, arguments).isEqualTo(alone.storeTimeMicros());
		for (int i = 0; i < alone.limits().size(); i++) {
			LimitDecision expected = alone.limits().get(i);
			LimitDecision actual = together.limits().get(i);
			assertThat(actual.retryAfterMicros()).as(as, arguments).isEqualTo(expected.retryAfterMicros());
			assertThat(actual.remaining()).as(as, arguments).isEqualTo(expected.remaining());
			assertThat(actual.resetAfterMicros()).as(as, arguments).isGreaterThanOrEqualTo(expected.resetAfterMicros());
		}
	}

	private List<Decision> together(List<PermitRequest> permits, int size) {
		StoreRequest request = acquire(permits);
		if (size > 1) {
			return ScriptCodec.decode(request, size, this.runner.run(this.codec.encode(request, size, 0, 0), RAW));
		}
		return List.of(ScriptCodec.decode(request, this.runner.run(this.codec.encode(request), RAW)));
	}

	private static StoreRequest acquire(List<PermitRequest> permits) {
		return new StoreRequest(StoreOperation.ACQUIRE, permits);
	}

	private static List<PermitRequest> permits(Random random, String key) {
		List<PermitRequest> permits = new ArrayList<>();
		List<Limit> limits = IntStream.rangeClosed(0, random.nextInt(3)).mapToObj((index) -> limit(random)).toList();
		long least = limits.stream().mapToLong(Limit::burst).min().orElseThrow();
		long cost = 1 + random.nextLong(Math.min(least, 3));
		for (Limit limit : limits) {
			long reserve = (random.nextInt(3) == 0) ? random.nextLong(limit.burst() - cost + 1) : 0;
			permits.add(
					new PermitRequest(new PolicyLimit("batch", "batch", permits.size(), limit, reserve), key, cost, 0));
		}
		return permits;
	}

	/** Returns permits of which some may wait and some are in shadow. */
	private static List<PermitRequest> permits(Random random, String key, List<Algorithm> algorithms) {
		List<PermitRequest> permits = new ArrayList<>();
		for (Algorithm algorithm : algorithms) {
			Limit limit = limit(random, algorithm);
			PolicyLimit policyLimit = new PolicyLimit("shared", "shared", permits.size(), limit, 0);
			long cost = 1 + random.nextLong(Math.min(limit.burst(), 3));
			long wait = (random.nextInt(4) == 0 && !limit.isConcurrency())
					? random.nextLong(limit.rate().periodMicros()) : 0;
			boolean inShadow = random.nextInt(5) == 0;
			permits.add(inShadow ? new PermitRequest(policyLimit.inShadow(), key, cost, wait)
					: new PermitRequest(policyLimit, key, cost, wait));
		}
		return permits;
	}

	private static Limit limit(Random random) {
		return limit(random, ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
	}

	private static Limit limit(Random random, Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse(RATES.get(random.nextInt(RATES.size()))));
		return AnyLimit.withBurst(limit, 1 + random.nextInt(30));
	}

}
