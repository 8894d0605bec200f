package io.github.ratelimit.benchmarks;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;

/**
 * Calls that {@link RedisRateLimitStore} sends. The store gets a connection that records
 * the script and never answers.
 */
final class StoreCalls {

	private final List<ScriptCall> noted = new ArrayList<>();

	private final RedisRateLimitStore store = RedisRateLimitStore.on(
			answering(RedisConnectionFactory.class,
					answering(RedisConnection.class, answering(RedisScriptingCommands.class, null))),
			"ratelimit", Duration.ofSeconds(1));

	/**
	 * The script call for a call of cost 1.
	 * @param algorithm of the limits
	 * @param key who is charged
	 * @param rates the limits of the policy
	 * @return what the store sends when Redis does not know the script yet
	 */
	ScriptCall call(Algorithm algorithm, String key, String... rates) {
		return call(algorithm, key, 0, rates);
	}

	/**
	 * The script call for a call of cost 1 that may wait for its turn.
	 * @param algorithm of the limits
	 * @param key who is charged
	 * @param maxWait its longest wait in microseconds
	 * @param rates the limits of the policy
	 * @return what the store sends when Redis does not know the script yet
	 */
	ScriptCall call(Algorithm algorithm, String key, long maxWait, String... rates) {
		List<Limit> limits = Stream.of(rates).map((rate) -> Limit.of(algorithm, Rate.parse(rate))).toList();
		try {
			this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits(limits, key, maxWait)));
		}
		catch (RateLimitStoreException ex) {
			// as there is no answer
		}
		return this.noted.remove(0);
	}

	private static List<PermitRequest> permits(List<Limit> limits, String key, long maxWait) {
		return IntStream.range(0, limits.size())
			.mapToObj((position) -> new PolicyLimit("benchmark", "benchmark", position, limits.get(position), 0))
			.map((policyLimit) -> new PermitRequest(policyLimit, key, 1, maxWait))
			.toList();
	}

	/** A proxy whose methods answer one object, or note the call of a script. */
	private <T> T answering(Class<T> type, @Nullable Object answer) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				if (method.getName().equals("evalSha")) {
					throw new InvalidDataAccessApiUsageException("NOSCRIPT");
				}
				if (method.getName().equals("eval")) {
					note(new String((byte[]) arguments[0], StandardCharsets.US_ASCII), (int) arguments[2],
							List.of((byte[][]) arguments[3]));
				}
				return (method.getReturnType() == void.class) ? null : answer;
			}));
	}

	private void note(String script, int keys, List<byte[]> keysAndArguments) {
		this.noted.add(new ScriptCall(script, keysAndArguments.subList(0, keys),
				keysAndArguments.subList(keys, keysAndArguments.size())));
	}

}
