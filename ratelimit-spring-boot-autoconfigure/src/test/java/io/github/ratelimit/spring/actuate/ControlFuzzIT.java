package io.github.ratelimit.spring.actuate;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Controls;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Operators who write anything, to two instances that share the controls of one Redis.
 * They send {@code test.fuzz.endpoint} bodies, each with a seed of its own that a failure
 * names; {@code test.fuzz.seed} is the first.
 */
class ControlFuzzIT {

	private static final int BODIES = Integer.getInteger("test.fuzz.endpoint", 400);

	private static final long FIRST_SEED = Long.getLong("test.fuzz.seed", 1);

	/** The bodies after which the live controls are looked at. */
	private static final int BATCH = 500;

	private static final List<Ban> LIVE = IntStream.range(0, 50)
		.mapToObj((number) -> new Ban("open", "client-ip:198.51.100." + number))
		.toList();

	@Test
	void failAtNothingAndLeaveOtherControlsInEffect() {
		try (RedisProcess redis = RedisProcess.start();
				ConfigurableApplicationContext servlet = application(WebApplicationType.SERVLET, redis);
				ConfigurableApplicationContext reactive = application(WebApplicationType.REACTIVE, redis)) {
			List<ConfigurableApplicationContext> instances = List.of(servlet, reactive);
			LIVE.forEach((ban) -> servlet.getBean(Controls.class).set(ban, null));
			Set<ActiveControl> before = live(servlet);
			assertThat(before).hasSize(LIVE.size());
			for (long first = FIRST_SEED; first < FIRST_SEED + BODIES; first += BATCH) {
				LongStream.range(first, Math.min(first + BATCH, FIRST_SEED + BODIES))
					.parallel()
					.forEach((seed) -> say(instances.get((int) (seed % 2)), seed));
				assertThat(instances).as("before seed %d", first + BATCH)
					.allSatisfy((instance) -> assertThat(live(instance)).isEqualTo(before))
					.allMatch(ControlFuzzIT::bansAll);
			}
			assertThat(HttpOneClient.send(reactive, "GET /actuator/ratelimitcontrols", "").body())
				.contains("client-ip:198.51.100.0", "client-ip:198.51.100.49");
		}
	}

	/** Sends a body, looks a key up and lifts a control. */
	private static void say(ConfigurableApplicationContext instance, long seed) {
		Random random = new Random(seed);
		String controls = "/actuator/ratelimitcontrols/";
		requireNoFailure(seed, HttpOneClient.send(instance, "POST " + controls + kind(random), body(random)));
		requireNoFailure(seed,
				HttpOneClient.send(instance, "GET /actuator/ratelimits/open?key=" + encoded(word(random)), ""));
		requireNoFailure(seed, HttpOneClient.send(instance, "DELETE " + controls + encoded(word(random)), ""));
	}

	/** Requires that the server did not fail, as Redis did not either. */
	private static void requireNoFailure(long seed, Response response) {
		assertThat(response.statusCode()).as("seed %d: %s", seed, response).isLessThan(500);
	}

	private static String kind(Random random) {
		return one(random, "reset", "erase", "grant", "limits", "change", "ban", "block", "pause", "x%00",
				"a".repeat(500), "", "ban?control=reset");
	}

	private static String body(Random random) {
		StringBuilder fields = new StringBuilder("\"policy\": \"open\"");
		int count = random.nextInt(5);
		for (int field = 0; field < count; field++) {
			fields.append(", \"")
				.append(one(random, "policy", "key", "caller", "limits", "permits", "mode", "enforce", "onStoreFailure",
						"duration", "until", "for", "control", "x"))
				.append("\": ")
				.append(value(random));
		}
		String body = "{" + fields + "}";
		return switch (random.nextInt(8)) {
			case 0 -> body.substring(random.nextInt(body.length()));
			case 1 -> one(random, "[", "", "null", "[" + body + "]", "{\"policy\": [\"open\"], \"key\": 1}");
			case 2 -> "{\"policy\": \"open\", \"key\": \"" + ControlEndpointIT.KEY + "\", \"duration\": "
					+ value(random) + "}";
			default -> body;
		};
	}

	private static String value(Random random) {
		return one(random, "\"" + word(random).replace("\u0000", "\\u0000") + "\"", "1e400", "null", "[\"1/1h\", {}]",
				"{\"a\": 1}", "true", "-9223372036854775809", "5", "\"10m\"");
	}

	private static String word(Random random) {
		return one(random, "open", "nope", ControlEndpointIT.KEY, "global", "", "\u0000", "principal:", "ip:::/0", "-1",
				"99999999999999999999", "1/1h", "P400D", "14h30m", "ever", "2026-11-26T00:00[Europe/Berlin]",
				"+999999999-12-31T23:59:59Z", "digest:0123456789abcdef", "0s", "\ud800", "a".repeat(1_000), "[]",
				"shadow", "#{1}", "ip:127.0.0.1/33", "ip:203.0.113.0/24", "5 concurrent", "deny");
	}

	private static String one(Random random, String... choices) {
		return choices[random.nextInt(choices.length)];
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private static Set<ActiveControl> live(ConfigurableApplicationContext instance) {
		Controls controls = instance.getBean(Controls.class);
		controls.refresh();
		return controls.active()
			.stream()
			.filter((active) -> LIVE.contains(active.control()))
			.collect(Collectors.toSet());
	}

	private static boolean bansAll(ConfigurableApplicationContext instance) {
		Policies policies = instance.getBean(Policies.class);
		return LIVE.stream().allMatch((ban) -> policies.controls().of(ban.policy(), ban.key()).banned());
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, RedisProcess redis) {
		return ControlEndpointIT.application(type, "ratelimit.store=redis", "ratelimit.redis.timeout=10s",
				"spring.data.redis.port=" + redis.port(), "management.endpoint.ratelimitcontrols.access=unrestricted");
	}

}
