package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.redis.TcpProxy.Mode;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The requests of one key: those that were decided, those that lost their reply as the
 * connection was cut after the decision, and those that timed out besides.
 */
record Cuts(String key, long decided, long lost, long timeouts) {

	/**
	 * Makes requests by a store of its own, whose connection is cut by FIN and RST in
	 * turn.
	 */
	static Cuts make(RedisProcess redis, String key, int cuts) {
		long timeouts = 0;
		try (TcpProxy proxy = TcpProxy.to(redis.port()); RedisRateLimitStore store = Stores.at(proxy.port())) {
			for (int cut = 0; cut < cuts; cut++) {
				for (Kind failure = Stores.acquire(store, key); failure != null; failure = Stores.acquire(store, key)) {
					timeouts += (failure == Kind.TIMEOUT) ? 1 : 0;
					Timing.sleep(Duration.ofMillis(40));
				}
				assertThat(make(store, proxy, key, cut % 2 == 0)).failsWithin(Duration.ofSeconds(1));
			}
		}
		return new Cuts(key, cuts, cuts, timeouts);
	}

	/** Makes a request that Redis decides, and cuts its connection before the reply. */
	static CompletableFuture<Decision> make(RateLimitStore store, TcpProxy proxy, String key, boolean reset) {
		long before = proxy.swallowed();
		proxy.mode(Mode.SWALLOW);
		CompletableFuture<Decision> reply = store
			.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.one(key)))
			.toCompletableFuture();
		Timing.until(Duration.ofSeconds(5), () -> proxy.swallowed() > before);
		if (reset) {
			proxy.reset();
		}
		else {
			proxy.cut();
		}
		proxy.mode(Mode.PASS);
		return reply;
	}

}
