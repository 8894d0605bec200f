package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that are decided on together are decided on as if they came one by one at one
 * instant. {@code -Dtest.traces} and {@code -Dtest.seed} as for {@link DecisionParityIT}.
 */
class BatchParityIT {

	private static final int TRACES = Integer.getInteger("test.traces", 500);

	private static final long SEED = Long.getLong("test.seed", System.nanoTime());

	private static final String TRACE = "seed %d, trace %d, call %d of %s";

	private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());

	private static final List<String> RATES = List.of("10/1s", "7/1s", "1/1s", "13/17ms", "300000/1s", "50/1m");

	private static final ReplyReader<byte[]> RAW = new RawReply();

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final ScriptRunner runner = new LettuceScriptRunner(CONNECTIONS, Duration.ofSeconds(10));

	private final ScriptCalls calls = new ScriptCalls("batch", this.clock::get);

	private final RateLimitStore memory = new MemoryRateLimitStore(1_000_000, this.clock::get);

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Test
	void decidesOnCallsTogetherAsOneByOne() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			List<Debit> debits = debits(random, SEED + "-" + trace);
			for (int batch = 0; batch < 10; batch++) {
				int size = 1 + random.nextInt(12);
				List<Decision> together = together(debits, size);
				List<Decision> alone = IntStream.range(0, size)
					.mapToObj((call) -> this.memory.execute(Operation.ACQUIRE, debits))
					.toList();
				for (int call = 0; call < size; call++) {
					assertAlike(together.get(call), alone.get(call), TRACE, SEED, trace, call, debits);
				}
				assertThat(together.get(size - 1)).as(TRACE, SEED, trace, size - 1, debits)
					.isEqualTo(alone.get(size - 1));
				this.clock.addAndGet(random.nextLong(debits.get(0).clause().limit().rate().periodMicros()));
			}
		}
	}

	/** Of keys that may be the same or others, by limits of the same rules. */
	@Test
	void decidesOnCallsThatShareARunAsOneByOne() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			List<Algorithm> algorithms = IntStream.rangeClosed(0, random.nextInt(ScriptText.FEW))
				.mapToObj((index) -> ALGORITHMS.get(random.nextInt(ALGORITHMS.size())))
				.toList();
			String keys = SEED + "-shared-" + trace + "-";
			for (int run = 0; run < 10; run++) {
				List<List<Debit>> asked = IntStream.rangeClosed(0, random.nextInt(12))
					.mapToObj((call) -> debits(random, keys + random.nextInt(6), algorithms))
					.toList();
				List<Decision> alone = asked.stream()
					.map((debits) -> this.memory.execute(Operation.ACQUIRE, debits))
					.toList();
				assertThat(inOneRun(asked)).as("seed %d, trace %d, %s", SEED, trace, asked).isEqualTo(alone);
				this.clock.addAndGet(random.nextLong(1_000_000));
			}
		}
	}

	private List<Decision> inOneRun(List<List<Debit>> asked) {
		List<ScriptCall> words = asked.stream().map((debits) -> this.calls.of(Operation.ACQUIRE, debits)).toList();
		byte[] reply = this.runner.run(CombinedCall.of(words, 0), RAW);
		List<Decision> decisions = new ArrayList<>();
		for (int call = 0; call < asked.size(); call++) {
			byte[] part = Objects.requireNonNull(CombinedCall.part(reply, call, asked.size()));
			decisions.add(ScriptCalls.decision(asked.get(call), part));
		}
		return decisions;
	}

	/** The time until nothing is spent may be that of a later call. */
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

	private List<Decision> together(List<Debit> debits, int size) {
		List<CompletableFuture<Decision>> told = Stream.generate(CompletableFuture<Decision>::new).limit(size).toList();
		Batch batch = new Batch(debits, told, System.nanoTime(), new Denials(Shortcuts.NONE, System::nanoTime),
				new Leases(System::nanoTime, (refunded) -> CompletableFuture.completedFuture(null)));
		if (size > 1) {
			batch.tell(this.runner.run(batch.call(this.calls, 0), RAW));
			return told.stream().map(CompletableFuture::join).toList();
		}
		return List.of(new ScriptDecider(this.runner, this.calls, new Denials(Shortcuts.NONE, System::nanoTime))
			.execute(Operation.ACQUIRE, debits));
	}

	private static List<Debit> debits(Random random, String key) {
		List<Debit> debits = new ArrayList<>();
		List<Limit> limits = IntStream.rangeClosed(0, random.nextInt(3)).mapToObj((index) -> limit(random)).toList();
		long least = limits.stream().mapToLong(Limit::burst).min().orElseThrow();
		long cost = 1 + random.nextLong(Math.min(least, 3));
		for (Limit limit : limits) {
			long reserve = (random.nextInt(3) == 0) ? random.nextLong(limit.burst() - cost + 1) : 0;
			debits.add(new Debit(new Clause("batch", "batch", debits.size(), limit, reserve), key, cost, 0));
		}
		return debits;
	}

	/** Some of which wait, and some in shadow. */
	private static List<Debit> debits(Random random, String key, List<Algorithm> algorithms) {
		List<Debit> debits = new ArrayList<>();
		for (Algorithm algorithm : algorithms) {
			Limit limit = limit(random, algorithm);
			Clause clause = new Clause("shared", "shared", debits.size(), limit, 0);
			long cost = 1 + random.nextLong(Math.min(limit.burst(), 3));
			long wait = (random.nextInt(4) == 0) ? random.nextLong(limit.rate().periodMicros()) : 0;
			boolean inShadow = random.nextInt(5) == 0;
			debits.add(inShadow ? Debit.inShadow(clause, key, cost, wait) : new Debit(clause, key, cost, wait));
		}
		return debits;
	}

	private static Limit limit(Random random) {
		return limit(random, ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
	}

	private static Limit limit(Random random, Algorithm algorithm) {
		Limit limit = Limit.parse(RATES.get(random.nextInt(RATES.size())), algorithm);
		boolean bursts = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
		return bursts ? limit.withBurst(1 + random.nextInt(30)) : limit;
	}

}
