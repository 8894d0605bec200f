package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits that no header can evade, on every kind of server. Each test calls from
 * addresses of its own, as all share one application.
 */
abstract class IdentityContract {

	private static final int PERMITS = IdentityApplication.PERMITS;

	private static final int FORGED = Integer.getInteger("test.fuzz.forwarded", 200);

	private static final String FORWARDED_FOR = "X-Forwarded-For";

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	/** The status that a request is answered with. */
	abstract int status(String path, String peer, Map<String, List<String>> headers);

	/** Returns the part of a header's value that a client can send. */
	abstract String sendable(String value);

	@Test
	void admitsAPeerNoMoreWhateverItForwards() {
		assertThat(admitted(IntStream.range(0, FORGED)
			.mapToObj((call) -> Map.of((call % 2 == 0) ? FORWARDED_FOR : "x-forwarded-for", List.of(randomAddress()))),
				"127.0.1.1"))
			.isEqualTo(PERMITS);
		assertThat(admitted(headers("Forwarded", FORGED, "for="), "127.0.1.1")).isZero();
	}

	@Test
	void costsAVictimNothingToBeNamedByAnother() {
		assertThat(admitted(forwardedFor("127.0.2.2", 100), "127.0.2.1")).isEqualTo(PERMITS);
		assertThat(admitted(without(100), "127.0.2.2")).isEqualTo(PERMITS);
	}

	@Test
	void costsAVictimBehindTheSameProxyNothing() {
		assertThat(admitted(forwardedFor("203.0.113.2, 203.0.113.1", 100), "127.0.0.8")).isEqualTo(PERMITS);
		assertThat(admitted(forwardedFor("203.0.113.2", 100), "127.0.0.8")).isEqualTo(PERMITS);
	}

	@Test
	void admitsAClientBehindAProxyNoMoreWhateverItForwards() {
		assertThat(
				admitted(
						IntStream.range(0, FORGED)
							.mapToObj((call) -> Map.of(FORWARDED_FOR, List.of(randomAddress(), "203.0.113.3"))),
						"127.0.0.8"))
			.isEqualTo(PERMITS);
	}

	@Test
	void admitsNoMoreByAHeaderThatTheProxyDoesNotKeep() {
		assertThat(admitted(IntStream.range(0, FORGED)
			.mapToObj((call) -> Map.of("Forwarded", List.of("for=" + randomAddress()), FORWARDED_FOR,
					List.of("203.0.113.4"))),
				"127.0.0.9"))
			.isEqualTo(PERMITS);
	}

	@Test
	void admitsNoMoreByAddressesThatCannotBeRead() {
		assertThat(
				admitted(
						IntStream.range(0, FORGED)
							.mapToObj((call) -> Map.of(FORWARDED_FOR, List.of("_" + Integer.toHexString(call)))),
						"127.0.0.10"))
			.isEqualTo(PERMITS);
	}

	@Test
	void knowsAnIpv4AddressInEverySpelling() {
		Stream<String> spellings = Stream.of("203.0.113.5", "::ffff:203.0.113.5", "::FFFF:203.0.113.5",
				"::ffff:cb00:7105", "0:0:0:0:0:ffff:cb00:7105", "[::ffff:203.0.113.5]:4711", "203.0.113.5:4711",
				"::ffff:203.0.113.5%eth0", "0000::ffff:203.0.113.5", "::0:ffff:cb00:7105", "9.9.9.9,  203.0.113.5");
		assertThat(admitted(spellings.flatMap((spelling) -> forwardedFor(spelling, 2)), "127.0.0.8"))
			.isEqualTo(PERMITS);
		assertThat(admitted(forwardedFor("::ffff:203.0.113.6", 20), "127.0.0.8")).isEqualTo(PERMITS);
	}

	@Test
	void knowsAnIpv6AddressInEverySpelling() {
		Stream<String> spellings = Stream.of("2001:db8:a::1", "2001:DB8:A::1", "2001:0db8:000a:0:0:0:0:0001",
				"2001:db8:a:0::1", "2001:db8:a::0:1", "[2001:db8:a::1]", "[2001:db8:a::1]:443", "2001:db8:a::1%1",
				"2001:db8:a::0.0.0.1");
		assertThat(admitted(spellings.flatMap((spelling) -> forwardedFor(spelling, 2)), "127.0.0.8"))
			.isEqualTo(PERMITS);
	}

	@Test
	void admitsAnIpv6NetworkNoMoreForAllItsAddresses() {
		assertThat(
				admitted(
						IntStream.range(0, FORGED)
							.mapToObj((call) -> Map.of(FORWARDED_FOR, List
								.of("2001:db8:b:1:" + Integer.toHexString(call) + "::" + Integer.toHexString(call)))),
						"127.0.0.8"))
			.isEqualTo(PERMITS);
		assertThat(admitted(forwardedFor("2001:db8:b:2::1", 20), "127.0.0.8")).isEqualTo(PERMITS);
	}

	@Test
	void refusesACallerWhomItMustKnowAndDoesNot() {
		assertThat(status("/known", "127.0.3.1", Map.of())).isEqualTo(403);
		assertThat(status("/known", "127.0.3.1", Map.of("X-Api-Key", List.of("4711")))).isEqualTo(200);
		assertThat(status("/known", "127.0.3.1", Map.of("X-Api-Key", List.of("")))).isEqualTo(403);
	}

	@Test
	void breaksOnNoHostileHeader() {
		for (int call = 0; call < FORGED; call++) {
			Map<String, List<String>> headers = Map.of(FORWARDED_FOR, List.of(hostile(), hostile()), "Forwarded",
					List.of(hostile()), "X-Api-Key", List.of(hostile()));
			assertThat(status("/keyed", "127.0.0.11", headers)).as("seed %d, %s", this.seed, headers).isIn(200, 429);
		}
	}

	private String hostile() {
		return sendable(Hostile.text(this.random, 2_000));
	}

	private long admitted(Stream<Map<String, List<String>>> requests, String peer) {
		return requests.filter((headers) -> {
			int status = status("/limited", peer, headers);
			assertThat(status).isIn(200, 429);
			return status == 200;
		}).count();
	}

	private Stream<Map<String, List<String>>> headers(String name, int count, String before) {
		return IntStream.range(0, count).mapToObj((call) -> Map.of(name, List.of(before + randomAddress())));
	}

	private static Stream<Map<String, List<String>>> forwardedFor(String value, int count) {
		return IntStream.range(0, count).mapToObj((call) -> Map.of(FORWARDED_FOR, List.of(value)));
	}

	private static Stream<Map<String, List<String>>> without(int count) {
		return IntStream.range(0, count).mapToObj((call) -> Map.of());
	}

	private String randomAddress() {
		return this.random.nextInt(1, 224) + "." + this.random.nextInt(256) + "." + this.random.nextInt(256) + "."
				+ this.random.nextInt(256);
	}

}
