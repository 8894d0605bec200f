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
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Concurrent callers of several instances lose at most one lease for each instance, and
 * none where the instance ends in order.
 */
class LeaseLossIT {

	private static final long PERMITS = 50;

	private static final long LEASE = 5;

	/** More than all permits, of each instance. */
	private static final int CALLS = 128;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@ParameterizedTest
	@CsvSource({ "fixed-window, 1, 4", "fixed-window, 1, 64", "fixed-window, 4, 4", "fixed-window, 4, 64",
			"token-bucket, 1, 4", "token-bucket, 1, 64", "token-bucket, 4, 4", "token-bucket, 4, 64",
			"leaky-bucket, 1, 4", "leaky-bucket, 4, 64" })
	void losesAtMostOneLeasePerInstance(String algorithm, int instances, int callers) throws Exception {
		for (int run = 0; run < 5; run++) {
			List<Debit> debits = debits(algorithm, 1);
			long admitted = admitted(stores(instances), callers, debits);
			assertThat(admitted).as("run %d", run).isBetween(PERMITS - instances * LEASE, PERMITS);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "token-bucket" })
	void losesAtMostOneLeaseInACrash(String algorithm) {
		List<Debit> debits = debits(algorithm, 1);
		long before = admittedInTurn(store(), debits, 4);
		long after = admittedInTurn(store(), debits, CALLS);
		assertThat(before).isEqualTo(4);
		assertThat(before + after).isBetween(PERMITS - LEASE, PERMITS - 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "token-bucket", "leaky-bucket" })
	void givesBackWhatIsUnspentWhenItCloses(String algorithm) {
		List<Debit> debits = debits(algorithm, 1);
		long before = 0;
		for (int instance = 0; instance < 3; instance++) {
			RedisRateLimitStore closing = store();
			before += admittedInTurn(closing, debits, 4);
			closing.close();
		}
		assertThat(before + admittedInTurn(store(), debits, CALLS)).isEqualTo(PERMITS);
	}

	/** A call that asks for more than is left finds what calls of another cost hold. */
	@Test
	void givesBackWhatKeepsCallsOfAnotherCostFromTheirPermits() {
		List<Debit> single = debits("fixed-window", 1);
		List<Debit> many = debits(single, PERMITS - 4);
		RedisRateLimitStore store = store();
		assertThat(admittedInTurn(store, single, 4)).isEqualTo(4);
		assertThat(admittedInTurn(store, many, 2)).isEqualTo(1);
		assertThat(admittedInTurn(store, single, 10)).isZero();
	}

	private static long admitted(List<RedisRateLimitStore> stores, int callers, List<Debit> debits) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(stores.size() * callers);
		CyclicBarrier start = new CyclicBarrier(stores.size() * callers);
		try {
			List<Future<Long>> admitted = new ArrayList<>();
			for (RedisRateLimitStore store : stores) {
				for (int caller = 0; caller < callers; caller++) {
					admitted.add(threads.submit(() -> {
						start.await();
						return admittedInTurn(store, debits, CALLS / callers);
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

	private static long admittedInTurn(RedisRateLimitStore store, List<Debit> debits, int calls) {
		long admitted = 0;
		for (int call = 0; call < calls; call++) {
			admitted += store.execute(Operation.ACQUIRE, debits).allowed() ? 1 : 0;
		}
		return admitted;
	}

	private static List<RedisRateLimitStore> stores(int instances) {
		return Stream.generate(LeaseLossIT::store).limit(instances).toList();
	}

	/** Closing it leaves the connection alone. */
	private static RedisRateLimitStore store() {
		return RedisRateLimitStore.on(CONNECTIONS, "loss", TIMEOUT);
	}

	private static List<Debit> debits(String algorithm, long cost) {
		Algorithm named = Algorithm.of(algorithm);
		Limit limit = Limit.parse(PERMITS + "/1h", named);
		Limit all = (named == Algorithm.LEAKY_BUCKET) ? limit.withBurst(PERMITS) : limit;
		return List.of(new Debit(new Clause("lost", "lost", 0, all, 0, LEASE), UUID.randomUUID().toString(), cost, 0));
	}

	private static List<Debit> debits(List<Debit> like, long cost) {
		return List.of(new Debit(like.get(0).clause(), like.get(0).key(), cost, 0));
	}

}
