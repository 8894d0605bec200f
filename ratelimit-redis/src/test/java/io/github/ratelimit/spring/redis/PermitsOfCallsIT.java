package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances to which the calls of one caller tell other permits, with coalesced requests,
 * cached denials and prefetched permits.
 */
class PermitsOfCallsIT {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final int CALLS = 400;

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private final String key = "alice-" + System.nanoTime();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	static Stream<Arguments> limits() {
		return Algorithm.rates()
			.filter((algorithm) -> limit(algorithm).burst() > 1)
			.flatMap((algorithm) -> IntStream.of(0, 8)
				.filter((prefetch) -> prefetch == 0 || limit(algorithm).formula().isPrefetchable())
				.mapToObj((prefetch) -> Arguments.of(algorithm, prefetch)));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void stayWithinTheLargerNumber(Algorithm algorithm, long prefetch) {
		List<RateLimiter> instances = List.of(instance(algorithm, prefetch), instance(algorithm, prefetch));
		List<Long> told = List.of(20L, 50L);
		List<CompletableFuture<Decision>> decisions = new ArrayList<>();
		for (int call = 0; call < CALLS; call++) {
			int instance = call % 2;
			decisions.add(instances.get(instance).acquireAsync(charge(told.get(instance))).toCompletableFuture());
		}
		long admitted = decisions.stream().filter((decision) -> decision.join().allowed()).count();
		assertThat(admitted).isLessThanOrEqualTo(50).isGreaterThanOrEqualTo(50 - 2 * prefetch);
	}

	/** Requests of one key that come at once are not decided by the number of another. */
	@ParameterizedTest
	@MethodSource("limits")
	void areThoseThatEachCallTells(Algorithm algorithm, long prefetch) {
		RateLimiter instance = instance(algorithm, prefetch);
		Map<Long, List<CompletableFuture<Decision>>> decisions = Map.of(20L, new ArrayList<>(), 30L, new ArrayList<>(),
				50L, new ArrayList<>());
		for (int call = 0; call < CALLS; call++) {
			decisions.forEach((permits, own) -> own.add(instance.acquireAsync(charge(permits)).toCompletableFuture()));
		}
		decisions.forEach((permits, own) -> assertThat(own).extracting(CompletableFuture::join)
			.allMatch((decision) -> decision.limits().get(0).limit().rate().permits() == permits)
			.allMatch((decision) -> decision.limits().get(0).remaining() < permits));
	}

	private Charge charge(long permits) {
		return Charge.of("own", this.key).withPermits(permits);
	}

	private static RateLimiter instance(Algorithm algorithm, long prefetch) {
		RedisRateLimitStore store = RedisRateLimitStore.on(CONNECTIONS, "permits", Duration.ofSeconds(10))
			.at(() -> NOW)
			.with(RedisStoreOptions.STANDARD);
		Policy policy = new Policy("own", List.of(limit(algorithm)), List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withPrefetch(prefetch));
		return new RateLimiter(
				new Policies(List
					.of(policy.withCallerSelectors(policy.callers().withPermits(new OwnPermits("claim:rpm", 100))))),
				store, List.of());
	}

	private static Limit limit(Algorithm algorithm) {
		return Limit.of(algorithm, new Rate(10, Duration.ofMinutes(1)));
	}

}
