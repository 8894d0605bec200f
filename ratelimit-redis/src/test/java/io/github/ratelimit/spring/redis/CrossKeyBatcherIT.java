package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.driver.LettuceScriptRunner;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.BatchCodec;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Batches of which a part, or the whole, fails. */
class CrossKeyBatcherIT {

	private final RedisProcess redis = RedisProcess.start();

	private final LettuceConnectionFactory connections = connections(this.redis);

	private final ScriptRunner runner = new LettuceScriptRunner(this.connections, Duration.ofSeconds(5));

	private final ScriptCodec codec = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis));

	@AfterEach
	void disconnect() {
		this.connections.destroy();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource(Algorithm.class)
	void overwritesValuesThatAreNoCounts(Algorithm algorithm) {
		List<ScriptInvocation> invocations = invocations(algorithm);
		this.redis.commands().set(new String(invocations.get(1).keys()[0], StandardCharsets.US_ASCII), "broken");
		this.redis.commands()
			.hset(new String(invocations.get(3).keys()[0], StandardCharsets.US_ASCII), "not", "a count");
		byte[] reply = this.runner.run(BatchCodec.encode(invocations, 0), new RawReply());
		assertThat(IntStream.range(0, invocations.size())).allSatisfy((index) -> {
			byte[] part = Objects.requireNonNull(BatchCodec.decode(reply, index, invocations.size()));
			assertThat(ScriptCodec.decode(new StoreRequest(StoreOperation.ACQUIRE, permits(algorithm, "")), part)
				.allowed()).isTrue();
			assertThat(ScriptCodec.isUnreadable(reply, index)).isEqualTo(index == 1 || index == 3);
		});
	}

	/** A log whose header has more entries than there are. */
	@Test
	void failsOnlyTheRequestWithABrokenCount() {
		List<ScriptInvocation> invocations = invocations(Algorithm.SLIDING_WINDOW_LOG);
		this.runner.run(invocations.get(1), new RawReply());
		this.redis.commands()
			.setrange(new String(invocations.get(1).keys()[0], StandardCharsets.US_ASCII), 1, "\u007f");
		this.redis.commands()
			.setrange(new String(invocations.get(1).keys()[0], StandardCharsets.US_ASCII), 57, "\u007f");
		byte[] reply = this.runner.run(BatchCodec.encode(invocations, 0), new RawReply());
		assertThat(IntStream.range(0, invocations.size())).allSatisfy((index) -> {
			byte[] part = BatchCodec.decode(reply, index, invocations.size());
			if (index == 1) {
				assertThat(part).isNull();
			}
			else {
				assertThat(ScriptCodec
					.decode(new StoreRequest(StoreOperation.ACQUIRE, permits(Algorithm.SLIDING_WINDOW_LOG, "")),
							Objects.requireNonNull(part))
					.allowed()).isTrue();
			}
		});
	}

	@Test
	void failsTheBatchIfRedisRejectsWrites() {
		assertThat(kind(invocations(Algorithm.TOKEN_BUCKET))).isNull();
		this.redis.commands().configSet("maxmemory", "1");
		assertThat(kind(invocations(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.OOM);
		this.redis.commands().configSet("maxmemory", "0");
		this.redis.commands().replicaof("127.0.0.1", this.redis.port());
		assertThat(kind(invocations(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.READONLY);
	}

	@Test
	void failsTheBatchIfRedisForbidsACommand() {
		this.redis.commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.GET));
		assertThat(kind(invocations(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.OTHER);
	}

	/** An example is one endpoint of several shards. */
	@Test
	@SuppressWarnings("unchecked")
	void decidesAllRequestsOnAServerThatRepliesCrossSlot() {
		try (RedisProcess shards = RedisProcess.start("--cluster-enabled", "yes")) {
			shards.commands().clusterAddSlotsRange(Range.create(0, SlotHash.SLOT_COUNT - 1));
			await().until(() -> shards.commands().clusterInfo().contains("cluster_state:ok"));
			LettuceConnectionFactory connections = connections(shards);
			RedisRateLimitStore store = RedisRateLimitStore.on(connections, "test", Duration.ofSeconds(5));
			store.connect();
			List<CompletableFuture<Decision>> decisions = IntStream.range(0, 1000)
				.mapToObj((caller) -> store.executeAsync(
						new StoreRequest(StoreOperation.ACQUIRE, permits(Algorithm.FIXED_WINDOW, "caller-" + caller))))
				.map(CompletionStage::toCompletableFuture)
				.toList();
			assertThat(decisions).extracting((decision) -> decision.join().limits().get(0).remaining())
				.containsOnly(9L);
			assertThat(shards.commands().info("errorstats")).contains("errorstat_CROSSSLOT");
			connections.destroy();
		}
	}

	private @Nullable Kind kind(List<ScriptInvocation> invocations) {
		try {
			this.runner.run(BatchCodec.encode(invocations, 0), new RawReply());
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

	private List<ScriptInvocation> invocations(Algorithm algorithm) {
		return IntStream.range(0, 5)
			.mapToObj((caller) -> this.codec
				.encode(new StoreRequest(StoreOperation.ACQUIRE, permits(algorithm, "caller-" + caller))))
			.toList();
	}

	private static List<PermitRequest> permits(Algorithm algorithm, String key) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1h"));
		return List.of(new PermitRequest(new PolicyLimit("quotes", "quotes", 0, limit, 0), key, 1, 0));
	}

	private static LettuceConnectionFactory connections(RedisProcess redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
