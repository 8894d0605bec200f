package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.redis.TcpProxy.Mode;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of one key: how many were decided, how many lost their answer as the connection
 * was cut after Redis had decided, and how many timed out besides.
 */
record Cuts(String key, long decided, long lost, long timeouts) {

	/**
	 * By a store of its own, cut in good order (FIN) and without regard (RST) in turn.
	 */
	static Cuts make(RedisProcess redis, String key, int cuts) {
		long timeouts = 0;
		try (TcpProxy proxy = TcpProxy.to(redis.port()); RedisRateLimitStore store = Stores.at(proxy.port())) {
			for (int cut = 0; cut < cuts; cut++) {
				for (Kind failure = Stores.ask(store, key); failure != null; failure = Stores.ask(store, key)) {
					timeouts += (failure == Kind.TIMEOUT) ? 1 : 0;
					Moments.sleep(Duration.ofMillis(40));
				}
				assertThat(make(store, proxy, key, cut % 2 == 0)).failsWithin(Duration.ofSeconds(1));
			}
		}
		return new Cuts(key, cuts, cuts, timeouts);
	}

	/** The answer to a call that Redis has decided, on a connection that is cut. */
	static CompletableFuture<Decision> make(RateLimitStore store, TcpProxy proxy, String key, boolean reset) {
		long before = proxy.swallowed();
		proxy.mode(Mode.SWALLOW);
		CompletableFuture<Decision> answer = store.executeAsync(Operation.ACQUIRE, Spending.one(key))
			.toCompletableFuture();
		Moments.until(Duration.ofSeconds(5), () -> proxy.swallowed() > before);
		if (reset) {
			proxy.reset();
		}
		else {
			proxy.cut();
		}
		proxy.mode(Mode.PASS);
		return answer;
	}

}
