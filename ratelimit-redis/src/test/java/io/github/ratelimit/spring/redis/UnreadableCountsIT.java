package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.driver.CircuitBreakingScriptRunner;
import io.github.ratelimit.spring.redis.driver.LettuceScriptRunner;
import io.github.ratelimit.spring.redis.roundtrip.ScriptRuns;
import io.github.ratelimit.spring.redis.roundtrip.SingleRunExecutor;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DenialCache;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Values that something else wrote to the keys of counts. */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableCountsIT {

	private static final RedisProcess REDIS = RedisProcess.start();

	private static final LettuceConnectionFactory CONNECTIONS = connections();

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final RedisRateLimitStore store = RedisRateLimitStore.on(CONNECTIONS, "unreadable", Duration.ofSeconds(5))
		.at(this.clock::get);

	/** A value that is no count, and how to write it. */
	enum Garbage {

		EMPTY((redis, key) -> redis.set(key, "")), SHORT((redis, key) -> redis.set(key, "12")),
		ALMOST((redis, key) -> redis.set(key, "t".repeat(42))),
		TEXT((redis, key) -> redis.set(key, "garbage ".repeat(9))),
		BUCKET((redis, key) -> redis.set(key, "t" + "z".repeat(99))),
		WINDOW((redis, key) -> redis.set(key, "f" + "z".repeat(99))),
		COUNTER((redis, key) -> redis.set(key, "c" + "z".repeat(45))),
		LOG((redis, key) -> redis.set(key, "l" + "z".repeat(45))),
		HELD((redis, key) -> redis.set(key, "h" + "z".repeat(99))), LIST((redis, key) -> redis.rpush(key, "a", "b")),
		HASH((redis, key) -> redis.hset(key, "a", "b")), SET((redis, key) -> redis.sadd(key, "a")),
		SORTED_SET((redis, key) -> redis.zadd(key, 1, "a"));

		private final BiConsumer<RedisCommands<String, String>, String> write;

		Garbage(BiConsumer<RedisCommands<String, String>, String> write) {
			this.write = write;
		}

	}

	@AfterAll
	static void stop() {
		CONNECTIONS.destroy();
		REDIS.close();
	}

	@BeforeEach
	void flush() {
		REDIS.commands().flushall();
	}

	@ParameterizedTest
	@MethodSource
	void areOverwrittenByTheFirstRequest(Algorithm algorithm, Garbage garbage) {
		List<PermitRequest> permits = permits(algorithm);
		Garbage written = write(garbage, permits);
		boolean isNothing = written == Garbage.EMPTY && algorithm == Algorithm.SLIDING_WINDOW_LOG;
		assertThat(IntStream.range(0, 12).filter((index) -> acquire(permits)))
			.hasSize((int) permits.get(0).limit().burst());
		assertThat(this.store.unreadable()).isEqualTo(isNothing ? 0 : 1);
		assertThat(REDIS.commands().pttl(key(permits))).isPositive();
	}

	static Stream<Arguments> areOverwrittenByTheFirstRequest() {
		return Stream.of(Algorithm.values())
			.flatMap((algorithm) -> Stream.of(Garbage.values()).map((garbage) -> Arguments.of(algorithm, garbage)));
	}

	@ParameterizedTest
	@EnumSource(StoreOperation.class)
	void areOverwrittenByEveryOperation(StoreOperation operation) {
		List<PermitRequest> permits = permits(Algorithm.TOKEN_BUCKET);
		write(Garbage.HASH, permits);
		this.store.execute(new StoreRequest(operation, permits));
		assertThat(this.store.execute(new StoreRequest(StoreOperation.PEEK, permits)).allowed()).isTrue();
	}

	@Test
	void areLoggedOnceAMinuteWithoutTheKey(CapturedOutput output) {
		List<PermitRequest> permits = permits(Algorithm.TOKEN_BUCKET);
		AtomicLong nanos = new AtomicLong();
		CircuitBreakingScriptRunner runner = new CircuitBreakingScriptRunner(
				new LettuceScriptRunner(CONNECTIONS, Duration.ofSeconds(5), Runnable::run), "Redis", nanos::get);
		ScriptCodec codec = new ScriptCodec("unreadable", ServerClock.like(System::currentTimeMillis));
		SingleRunExecutor executor = new SingleRunExecutor(runner, codec, new ScriptRuns(runner, codec),
				new DenialCache(0, Duration.ZERO, nanos::get));
		for (int time = 0; time < 4; time++) {
			write(Garbage.LIST, permits);
			executor.execute(new StoreRequest(StoreOperation.ACQUIRE, permits));
			nanos.addAndGet(Duration.ofSeconds(20).toNanos());
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("no count of policy 'quotes'"))).hasSize(2)
			.noneMatch((line) -> line.contains("WRONGTYPE") || line.contains("alice") || line.contains(key(permits)));
		assertThat(runner.unreadable()).isEqualTo(4);
	}

	private static LettuceConnectionFactory connections() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", REDIS.port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	private boolean acquire(List<PermitRequest> permits) {
		return this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed();
	}

	private Garbage write(Garbage garbage, List<PermitRequest> permits) {
		acquire(permits);
		String key = key(permits);
		REDIS.commands().del(key);
		garbage.write.accept(REDIS.commands(), key);
		return garbage;
	}

	private static String key(List<PermitRequest> permits) {
		ScriptInvocation invocation = new ScriptCodec("unreadable", ServerClock.like(System::currentTimeMillis))
			.encode(new StoreRequest(StoreOperation.PEEK, permits));
		return new String(invocation.keys()[0], StandardCharsets.US_ASCII);
	}

	private static List<PermitRequest> permits(Algorithm algorithm) {
		return PermitRequests.of("quotes", List.of(AnyLimit.of(algorithm, "10/1m")), "alice", 1);
	}

}
