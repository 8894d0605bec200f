package io.github.ratelimit.spring.key;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ObjLongConsumer;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.web.Hostile;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers that say anything. Runs {@code test.fuzz} times, each with a seed of its own
 * that a failure names; {@code test.fuzz.seed} is the first.
 */
class KeyFuzzTests {

	private static final int RUNS = Integer.getInteger("test.fuzz", 20_000);

	private static final long FIRST_SEED = Long.getLong("test.fuzz.seed", System.nanoTime());

	private static final int LONGEST = 65_536;

	private static final Limit LIMIT = Limit.parse("10/1m", Algorithm.TOKEN_BUCKET);

	private final KeyResolvers resolvers = TestResolvers.trusting("10.0.0.0/8", "fd00::/8");

	private final RateLimiter limiter = new RateLimiter(
			new Policies(List.of(new Policy("p", List.of(LIMIT), List.of("client-ip")))),
			new MemoryRateLimitStore(1_000), List.of());

	@Test
	void findsAKeyOrNoneForEveryCaller() {
		fuzz((random, seed) -> {
			CallContext call = hostileCall(random);
			assertThat(key("client-ip", call)).satisfies(KeyFuzzTests::isAnAddressOrMissing);
			assertThat(key("header:X-Api-Key", call))
				.isEqualTo(text("header:x-api-key:", call.caller().header("X-Api-Key")));
			assertThat(key("principal", call)).isEqualTo(text("principal:", call.caller().principal()));
			assertThat(key("#value", call)).isEqualTo(text("expression:", (String) call.arguments().get("value")));
			String key = Objects.requireNonNullElse(
					this.resolvers.firstOf(List.of("bean:none", "header:X-Api-Key", "principal", "client-ip"))
						.resolve(call),
					"missing");
			assertThat(this.limiter.acquire(Charge.of("p", key)).limits()).hasSize(1);
		});
	}

	@Test
	void findsOneKeyForOneAddressAndOthersForOthers() {
		Map<String, String> keys = new HashMap<>();
		Map<String, String> addresses = new HashMap<>();
		fuzz((random, seed) -> {
			byte[] address = address(random);
			String key = Objects
				.requireNonNull(key("client-ip", behindAProxy(new Spelling(random).of(address), random)));
			String canonical = canonical(address);
			assertThat(keys.computeIfAbsent(canonical, (unknown) -> key)).isEqualTo(key);
			assertThat(addresses.computeIfAbsent(key, (unknown) -> canonical)).isEqualTo(canonical);
		});
		assertThat(keys).hasSizeGreaterThan(100).hasSizeLessThan(RUNS);
	}

	private static void fuzz(ObjLongConsumer<Random> run) {
		for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
			try {
				run.accept(new Random(seed), seed);
			}
			catch (Throwable ex) {
				throw new AssertionError("run it again with -Dtest.fuzz=1 -Dtest.fuzz.seed=" + seed, ex);
			}
		}
	}

	private @Nullable String key(String word, CallContext call) {
		return this.resolvers
			.firstOf(List.of(word), this.resolvers.scope().withArguments(Map.of("value", Object.class)))
			.resolve(call);
	}

	private static @Nullable String text(String kind, @Nullable String value) {
		return StringUtils.hasText(value) ? kind + value : null;
	}

	/** Checks that the JDK also reads the key as an address, so it never looks it up. */
	private static void isAnAddressOrMissing(@Nullable String key) {
		if (key == null) {
			return;
		}
		assertThat(key).matches("client-ip:([0-9]{1,3}(\\.[0-9]{1,3}){3}|([0-9a-f]{1,4}:){4}0:0:0:0/64)");
		String address = key.substring("client-ip:".length()).replace("/64", "");
		try {
			assertThat(InetAddress.getByName(address).getHostAddress()).isEqualTo(address);
		}
		catch (UnknownHostException ex) {
			throw new AssertionError(key, ex);
		}
	}

	private static CallContext hostileCall(Random random) {
		String peer = (random.nextInt(4) == 0) ? Hostile.text(random, LONGEST) : "10.0.0." + random.nextInt(256);
		return call(peer,
				Map.of("Forwarded", lines(random), "X-Forwarded-For", lines(random), "X-Api-Key", lines(random)),
				Hostile.text(random, LONGEST));
	}

	private static List<String> lines(Random random) {
		return random.ints(random.nextInt(3), 0, 1).mapToObj((line) -> Hostile.text(random, LONGEST)).toList();
	}

	private static CallContext behindAProxy(String client, Random random) {
		String proxies = ", 10.0.0.2".repeat(random.nextInt(3));
		String before = Hostile.text(random, LONGEST);
		Map<String, List<String>> headers = switch (random.nextInt(4)) {
			case 0 -> Map.of("X-Forwarded-For", List.of(before + "," + client + proxies));
			case 1 -> Map.of("X-Forwarded-For", List.of(before, client + proxies));
			case 2 -> Map.of("Forwarded", List.of(before, "for=\"" + client + "\"" + proxies.replace(" ", "for=")));
			default ->
				Map.of("Forwarded", List.of("for=\"" + client + "\";proto=https" + proxies.replace(" ", " for=")),
						"X-Forwarded-For", List.of(before, client + proxies));
		};
		return call((random.nextInt(2) == 0) ? "10.0.0.1" : "fd00:0:0:0:0:0:0:1%1", headers, "");
	}

	private static CallContext call(String peer, Map<String, List<String>> headers, String text) {
		return new CallContext(new Caller() {

			@Override
			public String remoteAddress() {
				return peer;
			}

			@Override
			public String principal() {
				return text;
			}

			@Override
			public List<String> headers(String name) {
				return headers.getOrDefault(name, List.of());
			}

		}, Map.of("value", text));
	}

	/** Returns an address of one of some thousand networks, so that each comes often. */
	private static byte[] address(Random random) {
		byte[] address = new byte[random.nextBoolean() ? 4 : 16];
		random.nextBytes(address);
		address[0] = (address.length == 4) ? (byte) 203 : 0x20;
		Arrays.fill(address, 1, Math.min(address.length, 8) - 1, (byte) random.nextInt(2));
		return address;
	}

	private static String canonical(byte[] address) {
		try {
			return InetAddress
				.getByAddress((address.length == 4) ? address : Arrays.copyOf(Arrays.copyOf(address, 8), 16))
				.getHostAddress();
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
