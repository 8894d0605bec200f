package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bound on prefetching instances. They admit no more than the definition of the
 * algorithm does, each call at the time at which it was admitted, and waste no more than
 * they prefetched. {@code -Dtest.traces} and {@code -Dtest.seed} as for
 * {@link DecisionParityIT}.
 */
@Tag("long")
class PrefetchBoundIT {

	private static final int TRACES = Integer.getInteger("test.traces", 200) / 50;

	private static final long SEED = Long.getLong("test.seed", System.nanoTime());

	private static final int PREFETCH = 8;

	private static final int INSTANCES = 3;

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@ParameterizedTest
	@MethodSource
	void admitsNoMoreThanDefined(Limit limit) {
		Random random = new Random(SEED);
		long calls = 0;
		long before = runs();
		for (int trace = 0; trace < TRACES; trace++) {
			List<PermitRequest> permits = permits(limit, SEED + "-" + trace);
			List<RedisRateLimitStore> instances = instances();
			Definition definition = Definition.of(limit);
			for (int call = 0; call < 500; call++) {
				this.clock.addAndGet(step(random, limit));
				RedisRateLimitStore instance = oneOf(instances, random);
				for (int more = random.nextInt(6); more >= 0; more--) {
					calls++;
					if (instance.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()) {
						assertThat(
								definition.execute(StoreOperation.ACQUIRE, permits.get(0), this.clock.get()).allowed())
							.as("%s, seed %d, trace %d, call %d", limit, SEED, trace, call)
							.isTrue();
					}
				}
			}
		}
		assertThat(runs() - before).isLessThan(calls * 9 / 10);
	}

	static Stream<Limit> admitsNoMoreThanDefined() {
		return Stream.concat(AnyLimit.prefetchable("50/1s", PREFETCH),
				Stream.of("7/13ms", "50/1s leaky-bucket burst 20", "100/1m fixed-window align minute")
					.map((text) -> Limit.parse(text, Algorithm.TOKEN_BUCKET)));
	}

	/** If all instances are busy all the time, prefetched permits are spent. */
	@ParameterizedTest
	@MethodSource
	void wastesNoMoreThanThePrefetches(Limit limit) {
		List<PermitRequest> permits = permits(limit, "wasted-" + SEED);
		List<RedisRateLimitStore> instances = instances();
		long before = runs();
		long admitted = 0;
		for (int millis = 0; millis < 20_000; millis++) {
			this.clock.addAndGet(1000);
			if (instances.get(millis % INSTANCES)
				.execute(new StoreRequest(StoreOperation.ACQUIRE, permits))
				.allowed()) {
				admitted++;
			}
		}
		long most = limit.rate().permits() * 20 + limit.burst();
		assertThat(admitted).isBetween(most - limit.burst() - INSTANCES * PREFETCH, most);
		assertThat(runs() - before).isLessThan(20_000);
	}

	static Stream<Limit> wastesNoMoreThanThePrefetches() {
		return AnyLimit.prefetchable("50/1s", PREFETCH);
	}

	/** Returns an instance, which may just have replaced a closed one. */
	private RedisRateLimitStore oneOf(List<RedisRateLimitStore> instances, Random random) {
		int index = random.nextInt(INSTANCES);
		if (random.nextInt(50) == 0) {
			instances.get(index).close();
			instances.set(index, instance());
		}
		return instances.get(index);
	}

	private static long step(Random random, Limit limit) {
		long permit = limit.rate().periodMicros() / limit.rate().permits();
		return (random.nextInt(20) == 0) ? random.nextLong(2 * limit.rate().periodMicros())
				: random.nextLong(4 * permit + 1);
	}

	private static List<PermitRequest> permits(Limit limit, String key) {
		return List
			.of(new PermitRequest(new PolicyLimit("prefetched", "prefetched", 0, limit, 0, PREFETCH, false, false),
					limit.algorithm() + "-" + limit + "-" + limit.burst() + "-" + limit.alignment() + "-" + key, 1, 0));
	}

	/** Returns instances without cached denials, which would save runs too. */
	private List<RedisRateLimitStore> instances() {
		return Stream.generate(this::instance).limit(INSTANCES).collect(Collectors.toCollection(ArrayList::new));
	}

	private RedisRateLimitStore instance() {
		return RedisRateLimitStore.on(CONNECTIONS, "prefetch", Duration.ofSeconds(10)).at(this.clock::get);
	}

	private static long runs() {
		try (RedisConnection connection = CONNECTIONS.getConnection()) {
			Properties stats = connection.serverCommands().info("commandstats");
			return Long.parseLong(stats.getProperty("cmdstat_evalsha", "calls=0,").replaceAll("calls=(\\d+),.*", "$1"));
		}
	}

}
