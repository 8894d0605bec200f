package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Controls of instances next to anything that something else writes to their keys.
 */
@Tag("slow")
class ControlTamperingIT {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String HASH = "controls:1:{controls}";

	private final RedisProcess redis = RedisProcess.start();

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ControlledInstance one = instance();

	private final ControlledInstance other = instance();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.redis.close();
	}

	@Test
	void stayInEffectWhateverElseIsWrittenToTheirKeys() {
		List<String> keys = IntStream.range(0, 50).mapToObj((number) -> "principal:caller-" + number).toList();
		keys.forEach((key) -> this.one.controls().set(new Ban("api", key), HOUR));
		Random random = new Random(20261125);
		for (int text = 0; text < 10_000; text++) {
			tamper(random);
			if (text % 50 == 0) {
				look(this.one, this.other);
				assertThat(areBanned(this.one, keys) && areBanned(this.other, keys)).as("after %d", text).isTrue();
			}
			if (text % 1_000 == 0) {
				ControlledInstance started = instance();
				look(started);
				assertThat(areBanned(started, keys)).as("after %d", text).isTrue();
			}
		}
		this.one.controls().set(new Ban("api", "principal:alice"), HOUR);
		look(this.other);
		assertThat(areBanned(this.other, List.of("principal:alice"))).isTrue();
		assertThat(this.other.controls().skipped()).hasSizeGreaterThan(100);
	}

	/** Writes what the limiter would not, at the place of no ban of the test. */
	private void tamper(Random random) {
		String id = one(random, "grant-", "ban-x", "block-", "") + random.nextInt(400);
		String text = one(random, "v=1&kind=", "v=2&kind=", "", "%")
				+ one(random, "grant", "ban", "block&caller=ip:::/0")
				+ one(random, "&since=2026-11-22T10:00:00Z", "&since=", "&policy=api", "\u0000") + random.nextLong();
		String number = one(random, "1e300", "-1", "inf", "0", "") + random.nextInt(10);
		switch (random.nextInt(100)) {
			case 0 -> this.redis.commands().hset(HASH, one(random, ":head", ":generation", ":restored"), number);
			case 1 -> this.redis.commands().zadd(HASH + ":ends", random.nextDouble() * 1e300, id);
			case 2 -> this.redis.commands().zadd(HASH + ":revisions", random.nextDouble() * 1e300, id);
			default -> this.redis.commands().hset(HASH, id, text);
		}
	}

	private static String one(Random random, String... choices) {
		return choices[random.nextInt(choices.length)];
	}

	private static void look(ControlledInstance... instances) {
		Stream.of(instances).forEach((each) -> each.controls().refresh());
	}

	private static boolean areBanned(ControlledInstance instance, List<String> keys) {
		return keys.stream().allMatch((key) -> instance.policies().controls().of("api", key).banned());
	}

	private ControlledInstance instance() {
		LettuceConnectionFactory application = new LettuceConnectionFactory("127.0.0.1", this.redis.port());
		RedisRateLimitStore counts = RedisRateLimitStore.dedicated(application, "controls", PATIENCE, PATIENCE,
				"ratelimit:counts");
		RedisControlStore controls = new RedisControlStore(
				DedicatedConnectionFactory.like(application, PATIENCE, "ratelimit:controls"), "controls");
		ControlledInstance instance = new ControlledInstance(counts, controls);
		this.open.addAll(List.of(instance, controls, counts));
		return instance;
	}

}
