package io.github.ratelimit.store.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of threads that charge one count of the memory store.
 */
class MemoryRacesTests {

	@ParameterizedTest
	@MethodSource("countedWithoutALock")
	void losesNoChargeToThreadsThatRace(Limit limit) {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		List<PermitRequest> permits = PermitRequests.of("p", List.of(limit), "hot", 1);
		Supplier<Long> racer = () -> IntStream.range(0, 100_000)
			.filter((call) -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed())
			.count();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<CompletableFuture<Long>> racers = IntStream.range(0, 4)
				.mapToObj((number) -> CompletableFuture.supplyAsync(racer, threads))
				.toList();
			assertThat(racers.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(limit.burst());
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@MethodSource("countedWithoutALock")
	void losesNoChargeToOtherOperationsThatRace(Limit limit) {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		List<PermitRequest> permits = PermitRequests.of("p", List.of(limit), "hot", 1);
		List<PermitRequest> charge = List.of(permits.get(0).refund(1, 1_000_000));
		List<PermitRequest> several = PermitRequests.and(permits, PermitRequests.of("p", List.of(limit), "other", 1));
		CompletableFuture<Long> one = CompletableFuture.supplyAsync(() -> IntStream.range(0, 150_000)
			.filter((call) -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed())
			.count());
		long charged = 0;
		while (!one.isDone()) {
			store.execute(new StoreRequest(StoreOperation.PEEK, permits));
			store.execute(new StoreRequest(StoreOperation.CHARGE, permits));
			store.execute(new StoreRequest(StoreOperation.REFUND, charge));
			charged += store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed() ? 1 : 0;
			charged += store.execute(new StoreRequest(StoreOperation.ACQUIRE, several)).allowed() ? 1 : 0;
		}
		long left = IntStream.range(0, 200_000)
			.filter((call) -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed())
			.count();
		assertThat(one.join() + charged + left).isEqualTo(limit.burst());
	}

	static Stream<Limit> countedWithoutALock() {
		return Stream.of(Algorithm.values())
			.map((algorithm) -> AnyLimit.of(algorithm, "200000/1h"))
			.filter((limit) -> limit.longFormula() != null);
	}

	@Test
	void losesNoChargeToACountThatIsDroppedMeanwhile() {
		AtomicLong clock = new AtomicLong(1_000_000);
		Deque<Runnable> meanwhile = new ArrayDeque<>();
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> {
			Optional.ofNullable(meanwhile.poll()).ifPresent(Runnable::run);
			return clock.get();
		});
		List<PermitRequest> permits = PermitRequests.of("p",
				List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1h"))), "a", 1);
		meanwhile.add(() -> assertThat(store.size()).isZero());
		meanwhile.add(() -> {
			clock.addAndGet(10_000_000);
			store.execute(new StoreRequest(StoreOperation.ACQUIRE,
					PermitRequests.of("q", List.of(permits.get(0).limit()), "b", 1)));
			assertThat(store.size()).isOne();
		});
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()).isTrue();
		assertThat(meanwhile).isEmpty();
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()).isFalse();
	}

}
