package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.redis.driver.ServerChecks;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.StringUtils;

/**
 * Checks of a Redis that replies: whether it does so within the timeout of calls, keeps
 * counts and allows what scripts need, and whether another application uses the same key
 * prefix. If Redis does not allow a check, nothing is found.
 */
final class RedisChecks {

	private static final Log logger = LogFactory.getLog(RedisChecks.class);

	private static final int REPLIES = 10;

	/** The time for which the last start of an application is remembered. */
	private static final Duration LIFETIME = Duration.ofDays(7);

	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

	private final StringRedisTemplate redis;

	private final ServerChecks server;

	private final String prefix;

	private final String key;

	private final Duration timeout;

	private final @Nullable String application;

	private final Findings findings;

	RedisChecks(RedisConnectionFactory connections, RedisNames names, Duration timeout, Findings findings) {
		this.redis = new StringRedisTemplate(connections);
		this.server = new ServerChecks(connections, names.prefix());
		this.prefix = names.prefix();
		this.key = this.prefix + ":1:{application}";
		this.timeout = timeout;
		this.application = names.application();
		this.findings = findings;
	}

	/** Makes the checks. */
	void run() {
		quietly(this::checkEviction);
		quietly(this::checkRights);
		quietly(this::checkLatency);
		if (this.application != null) {
			quietly(() -> checkPrefix(this.application));
		}
	}

	private static void quietly(Runnable check) {
		try {
			check.run();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis could not be checked", ex);
		}
	}

	private void checkEviction() {
		this.server.evictionPolicies()
			.forEach((policy) -> this.findings.add(new Finding(Kind.EVICTING_REDIS, "maxmemory-policy",
					"Redis may drop counts of rate limits, and controls such as bans, when its memory is full, as its "
							+ "maxmemory-policy is '" + policy + "'. With 'noeviction' it does not.")));
	}

	private void checkRights() {
		List<String> missing = this.server.missingRights();
		if (!missing.isEmpty()) {
			this.findings.add(new Finding(Kind.MISSING_REDIS_RIGHTS, this.prefix,
					"The Redis user may not run what rate limits need on keys '" + this.prefix + ":*': "
							+ String.join(", ", missing) + ". Allow it these commands."));
		}
	}

	/** Compares the fastest of some replies, as this machine may be busy starting. */
	private void checkLatency() {
		long nanos = LongStream.range(0, REPLIES).map((reply) -> replyNanos()).min().orElse(0);
		if (nanos > this.timeout.toNanos() / 2) {
			this.findings.add(new Finding(Kind.SLOW_REDIS, "ratelimit.redis.timeout",
					"Redis takes at least " + Duration.ofNanos(nanos).toMillis() + " ms to reply, and calls wait for "
							+ this.timeout.toMillis()
							+ " ms: many will not be limited as they should. Use a Redis nearby, "
							+ "or increase 'ratelimit.redis.timeout'."));
		}
	}

	private long replyNanos() {
		long begin = System.nanoTime();
		this.redis.opsForValue().get(this.key);
		return System.nanoTime() - begin;
	}

	/** Returns the begin of a text, which anything may have written, in one line. */
	private static String printable(String text) {
		return UNPRINTABLE.matcher(StringUtils.truncate(text)).replaceAll("?");
	}

	private void checkPrefix(String application) {
		this.redis.opsForValue().setIfAbsent(this.key, application, LIFETIME);
		String other = this.redis.opsForValue().get(this.key);
		if (application.equals(other)) {
			this.redis.expire(this.key, LIFETIME);
		}
		else if (other != null) {
			this.findings.add(new Finding(Kind.SHARED_PREFIX, this.prefix,
					"The application '" + printable(other) + "' uses the key prefix '" + this.prefix
							+ "' in the same Redis, so policies of the same name share "
							+ "their counts. Set 'ratelimit.redis.key-prefix' to another one."));
		}
	}

}
