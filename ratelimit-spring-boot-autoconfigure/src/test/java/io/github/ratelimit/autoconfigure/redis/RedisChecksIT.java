package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.redis.TestConnections;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RedisChecksIT {

	private static final Duration LONG = Duration.ofSeconds(10);

	private final RedisProcess redis = RedisProcess.start();

	private final LettuceConnectionFactory connections = TestConnections.lettuce(this.redis);

	private final Findings findings = new Findings(List.of());

	@AfterEach
	void close() {
		this.connections.destroy();
		this.redis.close();
	}

	@Test
	void findsAnotherApplicationWithTheSamePrefix() {
		checks("ours", LONG, "shop").run();
		checks("ours", LONG, "shop").run();
		checks("theirs", LONG, "billing").run();
		checks("ours", LONG, null).run();
		assertThat(this.findings.all()).isEmpty();
		checks("ours", LONG, "billing").run();
		assertThat(this.findings.all()).singleElement()
			.isEqualTo(new Finding(Kind.SHARED_PREFIX, "ours",
					"The application 'shop' uses the key prefix 'ours' in the same Redis, so policies of the same name "
							+ "share their counts. Set 'ratelimit.redis.key-prefix' to another one."));
	}

	@Test
	void showsTheBeginOfWhatIsInThePlaceOfAnApplicationInOneLine() {
		new StringRedisTemplate(this.connections).opsForValue()
			.set("ours:1:{application}", "shop\r\nforged" + "!".repeat(100_000));
		checks("ours", LONG, "billing").run();
		assertThat(this.findings.all()).singleElement()
			.satisfies((finding) -> assertThat(finding.message()).startsWith("The application 'shop??forged!")
				.hasSizeLessThan(400));
	}

	@Test
	void remembersAnApplicationForAWeek() {
		checks("ours", LONG, "shop").run();
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		assertThat(commands.getExpire("ours:1:{application}")).isBetween(604_700L, 604_800L);
	}

	@Test
	void findsARedisThatIsSlowerThanTheTimeout() {
		checks("ours", Duration.ofNanos(1), null).run();
		assertThat(this.findings.all()).singleElement()
			.extracting(Finding::kind, Finding::subject)
			.containsExactly(Kind.SLOW_REDIS, "ratelimit.redis.timeout");
	}

	@Test
	void findsARedisThatEvictsCounts() {
		this.redis.commands().configSet("maxmemory-policy", "volatile-lru");
		checks("ours", LONG, "shop").run();
		assertThat(this.findings.all()).containsExactly(new Finding(Kind.EVICTING_REDIS, "maxmemory-policy",
				"Redis may drop counts of rate limits, and controls such as bans, when its memory is full, as its "
						+ "maxmemory-policy is 'volatile-lru'. With 'noeviction' it does not."));
	}

	@Test
	void findsCommandsThatScriptsMayNotRun() {
		this.redis.commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.SET));
		checks("ours", LONG, "shop").run();
		assertThat(this.findings.all()).containsExactly(new Finding(Kind.MISSING_REDIS_RIGHTS, "ours",
				"The Redis user may not run what rate limits need on keys 'ours:*': SET. Allow it these commands."));
	}

	@Test
	void findsNothingIfRedisDoesNotAllowChecks() {
		this.redis.commands().aclSetuser("default", AclSetuserArgs.Builder.noCommands());
		checks("ours", LONG, "shop").run();
		assertThat(this.findings.all()).isEmpty();
	}

	private RedisChecks checks(String prefix, Duration timeout, @Nullable String application) {
		return new RedisChecks(this.connections, RedisNames.of(prefix, application), timeout, this.findings);
	}

}
