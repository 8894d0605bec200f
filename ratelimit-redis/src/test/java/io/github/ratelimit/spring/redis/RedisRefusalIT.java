package io.github.ratelimit.spring.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what operators see of the errors of a real Redis, which never has a key.
 */
class RedisRefusalIT {

	private static final StoreRequest REQUEST = new StoreRequest(StoreOperation.ACQUIRE,
			PermitRequests.of("one", List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)), "principal:alice", 1));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			CONFIG SET requirepass secret           |       | AUTH     | NOAUTH
			CONFIG SET requirepass secret           | wrong | AUTH     | WRONGPASS
			ACL SETUSER default -evalsha            |       | AUTH     | NOPERM
			ACL SETUSER default resetkeys ~other:*  |       | AUTH     | NOPERM
			CONFIG SET min-replicas-to-write 1      |       | READONLY | NOREPLICAS
			REPLICAOF 127.0.0.1 1                   |       | READONLY | READONLY
			CONFIG SET replica-serve-stale-data no; REPLICAOF 127.0.0.1 1 | | READONLY | MASTERDOWN
			CONFIG SET maxmemory 1                  |       | OOM      | OOM
			""")
	void isShownByItsFirstWords(String commands, @Nullable String password, Kind kind, String word) {
		try (RedisProcess redis = RedisProcess.start()) {
			for (String command : commands.split("; ", -1)) {
				run(redis, command.split(" +"));
			}
			assertRefuses(redis, password, kind, word);
		}
	}

	@Test
	void isShownOfADiskThatCannotBeWritten(@TempDir Path folder) throws IOException {
		try (RedisProcess redis = RedisProcess.start("--dir", folder.toString(), "--save", "3600 1")) {
			Files.createDirectory(folder.resolve("dump.rdb"));
			redis.commands().set("a", "b");
			redis.commands().bgsave();
			await().until(() -> redis.commands().info("persistence").contains("rdb_last_bgsave_status:err"));
			assertRefuses(redis, null, Kind.READONLY, "MISCONF");
		}
	}

	private static void run(RedisProcess redis, String... words) {
		CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
		Stream.of(words).skip(1).forEach(arguments::add);
		redis.commands().dispatch(CommandType.valueOf(words[0]), new StatusOutput<>(StringCodec.UTF8), arguments);
	}

	private static void assertRefuses(RedisProcess redis, @Nullable String password, Kind kind, String word) {
		try (RedisRateLimitStore store = store(redis, password)) {
			RateLimitStoreException refusal = catchThrowableOfType(RateLimitStoreException.class,
					() -> store.execute(REQUEST));
			assertThat(refusal.getKind()).isEqualTo(kind);
			assertThat(refusal.getReply()).startsWith(word + ' ')
				.hasSizeBetween(word.length() + 10, 72)
				.doesNotContain("alice", "refusals", "secret", "wrong");
		}
	}

	private static RedisRateLimitStore store(RedisProcess redis, @Nullable String password) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", redis.port());
		server.setPassword(password);
		Duration seconds = Duration.ofSeconds(3);
		return RedisRateLimitStore.dedicated(new LettuceConnectionFactory(server), "refusals", seconds, seconds,
				"refusals:counts");
	}

}
