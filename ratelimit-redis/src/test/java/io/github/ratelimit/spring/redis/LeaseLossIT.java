package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The loss of leases: concurrent threads of several instances lose at most one lease per
 * instance, and none if the instance is closed.
 */
class LeaseLossIT {

	private static final long PERMITS = 50;

	private static final String RATE = PERMITS + "/1h";

	private static final long LEASE = 5;

	/** The calls of each instance, which are more than all permits. */
	private static final int CALLS = 128;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@ParameterizedTest
	@MethodSource
	void losesAtMostOneLeasePerInstance(Limit limit, int instances, int callers) throws Exception {
		for (int run = 0; run < 5; run++) {
			List<PermitRequest> permits = permits(limit, 1);
			long admitted = admitted(stores(instances), callers, permits);
			assertThat(admitted).as("run %d", run).isBetween(PERMITS - instances * LEASE, PERMITS);
		}
	}

	static Stream<Arguments> losesAtMostOneLeasePerInstance() {
		return limits().flatMap((limit) -> Stream.of(1, 4)
			.flatMap((instances) -> Stream.of(4, 64).map((callers) -> Arguments.of(limit, instances, callers))));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void losesAtMostOneLeaseInACrash(Limit limit) {
		List<PermitRequest> permits = permits(limit, 1);
		long before = admittedInTurn(store(), permits, 4);
		long after = admittedInTurn(store(), permits, CALLS);
		assertThat(before).isEqualTo(4);
		assertThat(before + after).isBetween(PERMITS - LEASE, PERMITS - 1);
	}

	@ParameterizedTest
	@MethodSource("limits")
	void refundsUnspentPermitsOnClose(Limit limit) {
		List<PermitRequest> permits = permits(limit, 1);
		long before = 0;
		for (int instance = 0; instance < 3; instance++) {
			RedisRateLimitStore closing = store();
			before += admittedInTurn(closing, permits, 4);
			closing.close();
		}
		assertThat(before + admittedInTurn(store(), permits, CALLS)).isEqualTo(PERMITS);
	}

	/**
	 * A request for more than is left needs the permits that requests of another cost
	 * prefetched.
	 */
	@Test
	void refundsALeaseForRequestsOfAnotherCost() {
		List<PermitRequest> single = permits(Limit.of(Algorithm.FIXED_WINDOW, Rate.parse(RATE)), 1);
		List<PermitRequest> many = permits(single, PERMITS - 4);
		RedisRateLimitStore store = store();
		assertThat(admittedInTurn(store, single, 4)).isEqualTo(4);
		assertThat(admittedInTurn(store, many, 2)).isEqualTo(1);
		assertThat(admittedInTurn(store, single, 10)).isZero();
	}

	private static long admitted(List<RedisRateLimitStore> stores, int callers, List<PermitRequest> permits)
			throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(stores.size() * callers);
		CyclicBarrier start = new CyclicBarrier(stores.size() * callers);
		try {
			List<Future<Long>> admitted = new ArrayList<>();
			for (RedisRateLimitStore store : stores) {
				for (int caller = 0; caller < callers; caller++) {
					admitted.add(threads.submit(() -> {
						start.await();
						return admittedInTurn(store, permits, CALLS / callers);
					}));
				}
			}
			long sum = 0;
			for (Future<Long> calls : admitted) {
				sum += calls.get();
			}
			return sum;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static long admittedInTurn(RedisRateLimitStore store, List<PermitRequest> permits, int calls) {
		long admitted = 0;
		for (int call = 0; call < calls; call++) {
			admitted += store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed() ? 1 : 0;
		}
		return admitted;
	}

	private static List<RedisRateLimitStore> stores(int instances) {
		return Stream.generate(LeaseLossIT::store).limit(instances).toList();
	}

	/** Returns a store whose connection stays open on close. */
	private static RedisRateLimitStore store() {
		return RedisRateLimitStore.on(CONNECTIONS, "loss", TIMEOUT);
	}

	/** Returns limits that all instances can spend at once. */
	static Stream<Limit> limits() {
		return AnyLimit.prefetchable(RATE, PERMITS);
	}

	private static List<PermitRequest> permits(Limit limit, long cost) {
		return List.of(new PermitRequest(new PolicyLimit("lost", "lost", 0, limit, 0, LEASE, false, false),
				UUID.randomUUID().toString(), cost, 0));
	}

	private static List<PermitRequest> permits(List<PermitRequest> like, long cost) {
		return List.of(new PermitRequest(like.get(0).policyLimit(), like.get(0).key(), cost, 0));
	}

}
