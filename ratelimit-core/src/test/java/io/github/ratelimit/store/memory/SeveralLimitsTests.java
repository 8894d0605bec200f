package io.github.ratelimit.store.memory;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of calls of several limits on the memory store.
 */
class SeveralLimitsTests {

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	/**
	 * Compares with a store that keeps states, as every call is peeked at before.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void decidesByNumbersAsByStates(long seed) {
		MemoryRateLimitStore ofStates = new MemoryRateLimitStore(1000, this.clock::get);
		Random random = new Random(seed);
		List<Limit> limits = countedByNumbers("9/1s").toList();
		int denied = 0;
		for (int call = 0; call < 3000; call++) {
			StoreRequest request = new StoreRequest(StoreOperation.ACQUIRE, permits(limits, random));
			ofStates.execute(request.with(StoreOperation.PEEK));
			Decision decision = this.store.execute(request);
			assertThat(decision).isEqualTo(ofStates.execute(request));
			denied += decision.allowed() ? 0 : 1;
			this.clock.addAndGet((random.nextInt(3) == 0) ? random.nextInt(300_000) : 0);
		}
		assertThat(denied).isBetween(300, 2700);
	}

	private static List<PermitRequest> permits(List<Limit> limits, Random random) {
		List<PermitRequest> permits = new ArrayList<>();
		for (int position = 0; position < limits.size(); position++) {
			Limit limit = limits.get(position);
			if (random.nextInt(3) > 0 || position == 0) {
				PolicyLimit enforced = new PolicyLimit("p", "p", position, limit, random.nextInt(2));
				permits.add(new PermitRequest(enforced, "key-" + random.nextInt(2), random.nextInt(4),
						(limit.formula().longestWait() > 0) ? random.nextInt(2) * 100_000L : 0));
			}
		}
		if (random.nextInt(4) == 0) {
			PermitRequest last = permits.remove(permits.size() - 1);
			permits.add(new PermitRequest(last.policyLimit().inShadow(), last.key(), last.cost(), 0));
		}
		return permits;
	}

	@ParameterizedTest
	@MethodSource
	void losesNoChargeToThreadsThatRace(Limit limit) {
		List<PermitRequest> one = PermitRequests.of("p", List.of(limit), "hot", 1);
		List<PermitRequest> several = PermitRequests.and(PermitRequests.of("other", List.of(limit), "x", 1), one);
		List<PermitRequest> reversed = List.of(several.get(1), several.get(0));
		ExecutorService threads = Executors.newFixedThreadPool(3);
		try {
			List<CompletableFuture<Long>> racers = Stream.of(one, several, reversed)
				.map((permits) -> CompletableFuture.supplyAsync(() -> admitted(permits), threads))
				.toList();
			assertThat(racers.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(limit.burst());
			assertThat(racers.get(1).join() + racers.get(2).join()).isEqualTo(spent(several.subList(0, 1)));
		}
		finally {
			threads.shutdownNow();
		}
	}

	static Stream<Limit> losesNoChargeToThreadsThatRace() {
		return countedByNumbers("150000/1h");
	}

	private long admitted(List<PermitRequest> permits) {
		return IntStream.range(0, 100_000)
			.filter((call) -> this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed())
			.count();
	}

	private long spent(List<PermitRequest> permits) {
		return LongStream.of(permits.get(0).limit().burst())
			.map((burst) -> burst
					- this.store.execute(new StoreRequest(StoreOperation.PEEK, permits)).limits().get(0).remaining())
			.sum();
	}

	private static Stream<Limit> countedByNumbers(String rate) {
		return Stream.of(Algorithm.values())
			.map((algorithm) -> AnyLimit.of(algorithm, rate))
			.filter((limit) -> limit.longFormula() != null);
	}

	@Test
	void countsOnAfterTheClockHasFailed() {
		AtomicBoolean fails = new AtomicBoolean();
		MemoryRateLimitStore store = new MemoryRateLimitStore(10, () -> {
			if (fails.get()) {
				throw new IllegalStateException("no time");
			}
			return 1_000_000;
		});
		StoreRequest request = new StoreRequest(StoreOperation.ACQUIRE,
				PermitRequests.of("p", countedByNumbers("3/1h").toList(), "a", 1));
		Supplier<Decision> call = () -> store.execute(request);
		assertThat(List.of(call.get().allowed(), call.get().allowed())).containsOnly(true);
		fails.set(true);
		assertThatIllegalStateException().isThrownBy(call::get);
		fails.set(false);
		assertThat(List.of(call.get().allowed(), call.get().allowed())).containsExactly(true, false);
	}

	@Test
	void needsLittleMemoryForTwoLimits() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		StoreRequest request = new StoreRequest(StoreOperation.ACQUIRE,
				PermitRequests.of("p", countedByNumbers("100000/1h").limit(2).toList(), "a", 1));
		this.store.execute(request);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int call = 0; call < 1000; call++) {
			this.store.execute(request);
		}
		assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 1000).isLessThanOrEqualTo(320);
	}

}
