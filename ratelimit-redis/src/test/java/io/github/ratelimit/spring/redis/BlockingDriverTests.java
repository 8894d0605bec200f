package io.github.ratelimit.spring.redis;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a store on a driver that blocks.
 */
class BlockingDriverTests {

	private static final List<Limit> LIMITS = List.of(Limit.parse("1/1h", Algorithm.TOKEN_BUCKET));

	private final Queue<Thread> connecting = new ConcurrentLinkedQueue<>();

	private final RedisRateLimitStore store = RedisRateLimitStore
		.on((RedisConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisConnectionFactory.class }, (proxy, method, arguments) -> {
					this.connecting.add(Thread.currentThread());
					throw new RedisConnectionFailureException("refused");
				}), "test", Duration.ofSeconds(1));

	@Test
	void connectsOnAnotherThreadForACallThatMustNotBlock() {
		List<PermitRequest> permits = PermitRequests.and(PermitRequests.of("p", LIMITS, "a", 1),
				PermitRequests.of("p", LIMITS, "b", 1));
		CompletableFuture<Decision> decision = this.store
			.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permits))
			.toCompletableFuture();
		assertThat(decision.handle((decided, failure) -> failure).join().getCause()).isInstanceOfSatisfying(
				RateLimitStoreException.class, (failure) -> assertThat(failure.getKind()).isEqualTo(Kind.CONNECTION));
		assertThat(this.connecting).isNotEmpty().doesNotContain(Thread.currentThread());
	}

}
