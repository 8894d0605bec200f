package io.github.ratelimit.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * A limit as one would write it by hand, with a minimal GCRA, in memory or on raw
 * Lettuce.
 */
interface ByHand {

	/** Spends a permit of a key, and waits for the answer. */
	Answer ask(Scenario scenario, String key);

	/** Spends a permit of a key without blocking. */
	CompletionStage<Answer> askAsync(Scenario scenario, String key);

	/** Returns a limit in memory. */
	static ByHand inMemory() {
		return new InMemory(new ConcurrentHashMap<>());
	}

	/** Returns a limit on a Redis at a port of this machine. */
	static ByHand onRedis(int port) {
		StatefulRedisConnection<String, String> connection = RedisClient.create(RedisURI.create("127.0.0.1", port))
			.connect();
		return new OnRedis(connection, connection.sync().scriptLoad(Script.GCRA));
	}

	/**
	 * An answer of the limit.
	 *
	 * @param allowed whether the call may proceed
	 * @param remaining permits that are left
	 * @param retryMicros microseconds until the call may proceed
	 */
	record Answer(boolean allowed, long remaining, long retryMicros) {

		/** Writes the header fields. */
		void writeTo(Scenario scenario, BiConsumer<String, String> headers) {
			long seconds = (this.retryMicros + 999_999) / 1_000_000;
			headers.accept("RateLimit-Policy", scenario.policyField());
			headers.accept("RateLimit", "\"" + scenario.slug() + "\";r=" + this.remaining + ";t=" + seconds);
			if (!this.allowed) {
				headers.accept("Retry-After", Long.toString(Math.max(1, seconds)));
				headers.accept("Cache-Control", "no-store");
				headers.accept("Content-Type", "application/problem+json");
			}
		}

		/** Returns the body of a denial, which is like the starter's. */
		static byte[] body(Scenario scenario, String path) {
			return ("{\"instance\":\"" + path + "\",\"status\":429,\"title\":\"Quota exceeded\","
					+ "\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
					+ "\"violated-policies\":[\"" + scenario.slug() + "\"]}")
				.getBytes(StandardCharsets.UTF_8);
		}

	}

	/**
	 * A map of arrival times.
	 *
	 * @param arrivals when all will have been refilled, by key, in microseconds
	 */
	record InMemory(ConcurrentHashMap<String, AtomicLong> arrivals) implements ByHand {

		@Override
		public Answer ask(Scenario scenario, String key) {
			AtomicLong arrival = this.arrivals.computeIfAbsent(key, (missing) -> new AtomicLong());
			long interval = TimeUnit.NANOSECONDS.toMicros(scenario.refill().toNanos());
			long most = interval * scenario.burst();
			while (true) {
				long now = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
				long known = arrival.get();
				long ahead = Math.max(known, now) + interval - now;
				if (ahead > most) {
					return new Answer(false, 0, ahead - most);
				}
				if (arrival.compareAndSet(known, now + ahead)) {
					return new Answer(true, (most - ahead) / interval, 0);
				}
			}
		}

		@Override
		public CompletionStage<Answer> askAsync(Scenario scenario, String key) {
			return CompletableFuture.completedStage(ask(scenario, key));
		}

	}

	/**
	 * A script on one connection.
	 *
	 * @param connection the connection
	 * @param sha1 the script's SHA-1
	 */
	record OnRedis(StatefulRedisConnection<String, String> connection, String sha1) implements ByHand {

		@Override
		public Answer ask(Scenario scenario, String key) {
			Gcra gcra = Gcra.of(scenario);
			return answer(this.connection.sync()
				.evalsha(this.sha1, ScriptOutputType.MULTI, keys(key), gcra.interval(), gcra.most()));
		}

		@Override
		public CompletionStage<Answer> askAsync(Scenario scenario, String key) {
			Gcra gcra = Gcra.of(scenario);
			return this.connection.async()
				.<List<Long>>evalsha(this.sha1, ScriptOutputType.MULTI, keys(key), gcra.interval(), gcra.most())
				.thenApply(OnRedis::answer);
		}

		private static String[] keys(String key) {
			return new String[] { Gcra.KEY + key };
		}

		private static Answer answer(List<Long> reply) {
			return new Answer(reply.get(0) == 1, reply.get(1), reply.get(2));
		}

	}

}
