package io.github.ratelimit.spring.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Rule;
import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Checks of the settings of Redis: an eviction policy that drops counts, and missing
 * rights.
 */
public final class ServerChecks {

	private static final Log logger = LogFactory.getLog(ServerChecks.class);

	private static final Pattern DENIED_COMMAND = Pattern.compile("NOPERM .*'([a-z|]+)' command.*", Pattern.DOTALL);

	private static final Pattern COMMAND = Pattern.compile("redis\\.call\\('([A-Z]+)'");

	/** The script that finds missing rights. It finds none before Redis 7. */
	private static final String RIGHTS = """
			local missing = {}
			if redis.acl_check_cmd then
			  for i = 1, #ARGV do
			    if not redis.acl_check_cmd(ARGV[i], KEYS[1]) then missing[#missing + 1] = ARGV[i] end
			  end
			end
			return missing
			""";

	private final RedisConnectionFactory connections;

	private final String prefix;

	private final AtomicBoolean explained = new AtomicBoolean();

	/**
	 * Creates the checks.
	 * @param prefix the start of every key
	 */
	public ServerChecks(RedisConnectionFactory connections, String prefix) {
		this.connections = connections;
		this.prefix = prefix;
	}

	/**
	 * Returns the eviction policies that drop counts, of which the nodes of a cluster may
	 * have several.
	 * @return the values of {@code maxmemory-policy}; none if Redis drops no counts
	 */
	public List<String> evictionPolicies() {
		try (RedisConnection connection = this.connections.getConnection()) {
			return values(connection.serverCommands().getConfig("maxmemory-policy"))
				.filter((policy) -> policy.startsWith("allkeys-") || policy.startsWith("volatile-"))
				.distinct()
				.toList();
		}
	}

	/**
	 * Returns the commands that scripts need but the user of Redis may not run.
	 * @return the commands; none before Redis 7, which does not tell
	 */
	public List<String> missingRights() {
		byte[] key = bytes(this.prefix + ":1:{}:0");
		byte[][] keyAndCommands = Stream.concat(Stream.of(key), commands().map(ServerChecks::bytes))
			.toArray(byte[][]::new);
		try (RedisConnection connection = this.connections.getConnection()) {
			List<byte[]> missing = connection.scriptingCommands()
				.eval(bytes(RIGHTS), ReturnType.MULTI, 1, keyAndCommands);
			return (missing != null) ? missing.stream().map(ServerChecks::text).toList() : List.of();
		}
	}

	/**
	 * Logs which command Redis denies, if a missing right is the reason of a failure, and
	 * only once.
	 */
	void explain(RateLimitStoreException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			Matcher denied = DENIED_COMMAND.matcher(String.valueOf(cause.getMessage()));
			if (denied.matches() && this.explained.compareAndSet(false, true)) {
				logger.warn("The Redis user may not run what rate limits need on keys '" + this.prefix + ":*': "
						+ denied.group(1).toUpperCase(Locale.ROOT));
			}
		}
	}

	/** Returns the commands of all scripts. */
	private static Stream<String> commands() {
		List<Rule> rules = Stream.of(Algorithm.values()).map(Algorithm::rule).toList();
		return COMMAND.matcher(DecisionScript.ofSeveral(rules).text())
			.results()
			.map((MatchResult command) -> command.group(1))
			.distinct()
			.sorted();
	}

	private static Stream<String> values(@Nullable Properties found) {
		return (found != null) ? found.values().stream().map(String::valueOf) : Stream.empty();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.US_ASCII);
	}

}
