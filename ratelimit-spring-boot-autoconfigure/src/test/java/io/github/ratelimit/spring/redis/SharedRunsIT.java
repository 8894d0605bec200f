package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
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

/** What becomes of calls that share a run where not all of it goes well. */
class SharedRunsIT {

	private final RedisProcess redis = RedisProcess.start();

	private final LettuceConnectionFactory connections = connections(this.redis);

	private final ScriptRunner runner = new LettuceScriptRunner(this.connections, Duration.ofSeconds(5));

	private final ScriptCalls calls = new ScriptCalls("test", null);

	@AfterEach
	void disconnect() {
		this.connections.destroy();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource(Algorithm.class)
	void overwritesWhatIsNoCount(Algorithm algorithm) {
		List<ScriptCall> asked = asked(algorithm);
		this.redis.commands().set(new String(asked.get(1).keys()[0], StandardCharsets.US_ASCII), "broken");
		this.redis.commands().hset(new String(asked.get(3).keys()[0], StandardCharsets.US_ASCII), "not", "a count");
		byte[] reply = this.runner.run(CombinedCall.of(asked, 0), new RawReply());
		assertThat(IntStream.range(0, asked.size())).allSatisfy((call) -> {
			byte[] part = Objects.requireNonNull(CombinedCall.part(reply, call, asked.size()));
			assertThat(ScriptCalls.decision(debits(algorithm, ""), part).allowed()).isTrue();
			assertThat(ScriptCalls.isUnreadable(reply, call)).isEqualTo(call == 1 || call == 3);
		});
	}

	/** A log that says that it has more entries than there are. */
	@Test
	void leavesTheOthersAloneWhereTheCountOfOneIsBroken() {
		List<ScriptCall> asked = asked(Algorithm.SLIDING_WINDOW_LOG);
		this.runner.run(asked.get(1), new RawReply());
		this.redis.commands().setrange(new String(asked.get(1).keys()[0], StandardCharsets.US_ASCII), 1, "\u007f");
		this.redis.commands().setrange(new String(asked.get(1).keys()[0], StandardCharsets.US_ASCII), 57, "\u007f");
		byte[] reply = this.runner.run(CombinedCall.of(asked, 0), new RawReply());
		assertThat(IntStream.range(0, asked.size())).allSatisfy((call) -> {
			byte[] part = CombinedCall.part(reply, call, asked.size());
			if (call == 1) {
				assertThat(part).isNull();
			}
			else {
				assertThat(ScriptCalls.decision(debits(Algorithm.SLIDING_WINDOW_LOG, ""), Objects.requireNonNull(part))
					.allowed()).isTrue();
			}
		});
	}

	@Test
	void failsAsAWholeWhereRedisRefusesToWrite() {
		assertThat(kind(asked(Algorithm.TOKEN_BUCKET))).isNull();
		this.redis.commands().configSet("maxmemory", "1");
		assertThat(kind(asked(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.OOM);
		this.redis.commands().configSet("maxmemory", "0");
		this.redis.commands().replicaof("127.0.0.1", this.redis.port());
		assertThat(kind(asked(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.READONLY);
	}

	@Test
	void failsAsAWholeWhereRedisForbidsACommand() {
		this.redis.commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.GET));
		assertThat(kind(asked(Algorithm.TOKEN_BUCKET))).isEqualTo(Kind.OTHER);
	}

	/** Such as one endpoint of several shards. */
	@Test
	@SuppressWarnings("unchecked")
	void decidesOnAllWhereARedisThatLooksLikeOneServerHasSlots() {
		try (RedisProcess shards = RedisProcess.start("--cluster-enabled", "yes")) {
			shards.commands().clusterAddSlotsRange(Range.create(0, SlotHash.SLOT_COUNT - 1));
			await().until(() -> shards.commands().clusterInfo().contains("cluster_state:ok"));
			LettuceConnectionFactory connections = connections(shards);
			RedisRateLimitStore store = RedisRateLimitStore.on(connections, "test", Duration.ofSeconds(5));
			store.connect();
			List<CompletableFuture<Decision>> decisions = IntStream.range(0, 1000)
				.mapToObj((caller) -> store.executeAsync(Operation.ACQUIRE,
						debits(Algorithm.FIXED_WINDOW, "caller-" + caller)))
				.map(CompletionStage::toCompletableFuture)
				.toList();
			assertThat(decisions).extracting((decision) -> decision.join().limits().get(0).remaining())
				.containsOnly(9L);
			assertThat(shards.commands().info("errorstats")).contains("errorstat_CROSSSLOT");
			connections.destroy();
		}
	}

	private @Nullable Kind kind(List<ScriptCall> asked) {
		try {
			this.runner.run(CombinedCall.of(asked, 0), new RawReply());
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

	private List<ScriptCall> asked(Algorithm algorithm) {
		return IntStream.range(0, 5)
			.mapToObj((caller) -> this.calls.of(Operation.ACQUIRE, debits(algorithm, "caller-" + caller)))
			.toList();
	}

	private static List<Debit> debits(Algorithm algorithm, String key) {
		Limit limit = Limit.parse("10/1h", algorithm);
		return List.of(new Debit(new Clause("quotes", "quotes", 0, limit, 0), key, 1, 0));
	}

	private static LettuceConnectionFactory connections(RedisProcess redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
