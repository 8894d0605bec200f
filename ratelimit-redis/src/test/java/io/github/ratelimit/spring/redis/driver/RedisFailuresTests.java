package io.github.ratelimit.spring.redis.driver;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;

class RedisFailuresTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			READONLY You can't write against a read only replica. script: a, on @user_script:1. | READONLY
			MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'. | READONLY
			NOREPLICAS Not enough good replicas to write. | READONLY
			MISCONF Redis is configured to save RDB snapshots, but cannot | READONLY
			OOM command not allowed when used memory > 'maxmemory'. | OOM
			BUSY Redis is busy running a script. | BUSY
			LOADING Redis is loading the dataset in memory | LOADING
			NOAUTH Authentication required. | AUTH
			WRONGPASS invalid username-password pair | AUTH
			NOPERM this user has no permissions to run the 'evalsha' command | AUTH
			CLUSTERDOWN The cluster is down | CLUSTER
			TRYAGAIN Multiple keys request during rehashing of slot | CLUSTER
			MOVED 3999 127.0.0.1:6381 | CLUSTER
			CROSSSLOT Keys in request don't hash to the same slot | OTHER
			WRONGTYPE Operation against a key holding the wrong kind of value | OTHER
			ERR unknown command | OTHER
			""")
	void recognisesErrorsOfRedisOnEachDriver(String message, Kind kind) {
		assertThat(kind(new RedisCommandExecutionException(message))).isEqualTo(kind);
		assertThat(kind(new RedisSystemException("Error in execution", new JedisDataException(message))))
			.isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					MISCONF Errors writing to the AOF file: No space left on device | MISCONF Errors writing to the AOF file: No space left on device
					OOM command not allowed when used memory > 'maxmemory'. | OOM command not allowed when used memory
					READONLY You can't write against a read only replica. | READONLY You can't write against a read only replica
					NOPERM User shop has no permissions to run the 'evalsha' command | NOPERM User shop has no permissions to run the evalsha command
					ERR unknown command 'get', with args beginning with: 'principal:alice' | ERR unknown command
					ERR no key `principal:alice` here | ERR no key
					ERR no key "principal:alice" here | ERR no key
					NOREPLICAS Not enough good replicas to write. script: 4fd695, on @user_script:1. | NOREPLICAS Not enough good replicas to write
					ERR no count {principal:alice} | ERR no count
					MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'. | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set
					""")
	void keepsTheFirstWordsOfAnErrorUpToWhatItQuotes(String message, String words) {
		assertThat(RedisFailures.of(new RedisCommandExecutionException(message)).getReply()).isEqualTo(words);
		assertThat(RedisFailures.of(new RedisCommandExecutionException(message + "\nprincipal:alice")).getReply())
			.isEqualTo(words);
	}

	@Test
	void keepsNoWordsOfADriver() {
		assertThat(RedisFailures.of(new RedisException("Currently not connected to alice")).getReply()).isNull();
	}

	@ParameterizedTest
	@MethodSource
	void recognisesExceptionsOfDrivers(Throwable failure, Kind kind) {
		assertThat(kind(failure)).isEqualTo(kind);
		assertThat(kind(new CompletionException(failure))).isEqualTo(kind);
	}

	static Stream<Arguments> recognisesExceptionsOfDrivers() {
		return Stream.of(Arguments.of(new TimeoutException(), Kind.TIMEOUT),
				Arguments.of(new RedisCommandTimeoutException("Command timed out"), Kind.TIMEOUT),
				Arguments.of(new QueryTimeoutException("Redis command timed out"), Kind.TIMEOUT),
				Arguments.of(
						new RedisConnectionFailureException("Unknown",
								new JedisConnectionException(new SocketTimeoutException("Read timed out"))),
						Kind.TIMEOUT),
				Arguments.of(new RedisException("Currently not connected. Commands are rejected."), Kind.CONNECTION),
				Arguments.of(new RedisConnectionException("Unable to connect", new IOException("refused")),
						Kind.CONNECTION),
				Arguments.of(new RedisConnectionException("Unable to connect",
						new RedisCommandExecutionException("NOAUTH HELLO must be called")), Kind.AUTH),
				Arguments.of(
						new RedisConnectionException("Unable to connect",
								new SSLHandshakeException("PKIX path building failed: unable to find a path")),
						Kind.CONNECTION),
				Arguments.of(new PartitionSelectorException("Cannot determine a partition", new Partitions()),
						Kind.CLUSTER),
				Arguments.of(new IllegalStateException("bug"), Kind.OTHER));
	}

	@Test
	void repeatsNothingFromRedis() {
		assertThat(RedisFailures.of(new RedisCommandExecutionException("OOM secret"))).hasMessageNotContaining("secret")
			.hasMessageContaining("oom");
	}

	@Test
	void keepsATranslatedFailure() {
		RateLimitStoreException translated = new RateLimitStoreException("known", Kind.OPEN, null);
		assertThat(RedisFailures.of(translated)).isSameAs(translated);
		assertThat(translated.getStackTrace()).isEmpty();
	}

	private static Kind kind(Throwable failure) {
		return RedisFailures.of(failure).getKind();
	}

}
