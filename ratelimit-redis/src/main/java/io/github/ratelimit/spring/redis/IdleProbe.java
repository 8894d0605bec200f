package io.github.ratelimit.spring.redis;

import java.util.concurrent.ThreadLocalRandom;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.redis.driver.CircuitBreakingScriptRunner;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.ReplyHandler;

/**
 * A run of a script for no call, so that the circuit breaker of an instance without calls
 * follows Redis. It reads a count. While Redis fails, it charges one, as Redis may still
 * reply to reads when it takes no writes. It takes a key at random, so that in a cluster
 * it reaches one master after the other.
 */
final class IdleProbe implements Runnable {

	/** A name that no policy can have. */
	private static final String COUNTER = "~probe";

	private static final PolicyLimit LIMIT = new PolicyLimit(COUNTER, COUNTER, 0,
			Limit.parse("1000000/1s", Algorithm.FIXED_WINDOW), 0);

	private static final int KEYS = 1024;

	private final CircuitBreakingScriptRunner runner;

	private final ScriptCodec codec;

	IdleProbe(CircuitBreakingScriptRunner runner, ScriptCodec codec) {
		this.runner = runner;
		this.codec = codec;
	}

	/**
	 * Runs the script, unless the breaker is open and no probe is due.
	 * @throws io.github.ratelimit.store.RateLimitStoreException if Redis fails
	 */
	@Override
	public void run() {
		StoreOperation operation = (this.runner.state() == BreakerState.CLOSED) ? StoreOperation.PEEK
				: StoreOperation.ACQUIRE;
		String key = Integer.toString(ThreadLocalRandom.current().nextInt(KEYS));
		ScriptInvocation invocation = this.codec
			.encode(StoreRequest.of(operation, new PermitRequest(LIMIT, key, 1, 0)));
		if (this.runner.mayPass(invocation)) {
			this.runner.run(invocation, new Outcome());
		}
	}

	private static final class Outcome implements ReplyHandler<byte[], byte[]> {

		@Override
		public byte[] onReply(byte[] reply) {
			return reply;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			return RedisFailures.of(failure);
		}

	}

}
