package io.github.ratelimit.key;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ClientIpTests {

	private static final String PROXY = "10.0.0.1";

	private final ClientIp clientIp = new ClientIp(List.of("10.0.0.0/8", "fd00::/8"), 64);

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "198.51.100.1,", "198.51.100.1, ,", ",198.51.100.1", "198.51.100.1,,10.0.0.2",
			"198.51.100.1 ,\t, 10.0.0.2 , ," })
	void ignoresEmptyEntries(String value) {
		assertThat(client(PROXY, List.of(), List.of(value))).isEqualTo("198.51.100.1");
		assertThat(client(PROXY, List.of(), List.of(value, "", " "))).isEqualTo("198.51.100.1");
		String forwarded = value.replaceAll("([0-9.]+)", "for=$1");
		assertThat(client(PROXY, List.of(forwarded), List.of())).isEqualTo("198.51.100.1");
		assertThat(client(PROXY, List.of(forwarded), List.of(value))).isEqualTo("198.51.100.1");
	}

	@ParameterizedTest
	@CsvSource({ PROXY + ", 198.51.100.7, 198.51.100.7", "fd00::1, 2001:db8::1, 2001:db8:0:0:0:0:0:0/64",
			"192.0.2.1, 198.51.100.7, 192.0.2.1", PROXY + ", '198.51.100.7, 198.51.100.8', " + PROXY,
			PROXY + ", unknown, " + PROXY, PROXY + ", '', " + PROXY, PROXY + ", ' 198.51.100.7\t', 198.51.100.7",
			PROXY + ", 10.0.0.9, 10.0.0.9" })
	void readsTheHeaderOfANetworkFromTrustedProxiesAlone(String peer, String header, String client) {
		assertThat(behindNetwork(peer, List.of(header))).isEqualTo(client);
	}

	@Test
	void readsForwardedHeadersWhereTheNetworkHasSentNone() {
		assertThat(behindNetwork(PROXY, List.of())).isEqualTo("203.0.113.5");
		assertThat(behindNetwork(PROXY, List.of("198.51.100.7", "198.51.100.7"))).isEqualTo(PROXY);
	}

	private static @Nullable String behindNetwork(String peer, List<String> header) {
		Map<String, List<String>> headers = Map.of("CF-Connecting-IP", header, "X-Forwarded-For",
				List.of("203.0.113.5"));
		return new ClientIp(List.of("10.0.0.0/8", "fd00::/8"), 64, "CF-Connecting-IP").resolve(call(peer, headers));
	}

	@Test
	void readsNoAddressBeforeTooManyEmptyEntries() {
		String commas = ",".repeat(ForwardedEntries.MOST_CHARACTERS + 1);
		assertThat(client(PROXY, List.of(), List.of("198.51.100.1" + commas))).isEqualTo(PROXY);
		assertThat(client(PROXY, List.of(), List.of(commas))).isEqualTo(PROXY);
	}

	@Test
	void isAnUntrustedPeerWhateverItsHeaders() {
		assertThat(client("192.0.2.1", List.of("for=198.51.100.1"), List.of("198.51.100.1"))).isEqualTo("192.0.2.1");
		assertThat(new ClientIp(List.of(), 64).resolve(call(PROXY, List.of(), List.of("198.51.100.1"))))
			.isEqualTo(PROXY);
	}

	@ParameterizedTest
	@CsvSource({ "198.51.100.7, 198.51.100.7", "'1.1.1.1, 198.51.100.7', 198.51.100.7",
			"'1.1.1.1, 198.51.100.7, 10.0.0.2,10.9.9.9', 198.51.100.7", "'10.0.0.3, 10.0.0.2', 10.0.0.3",
			"198.51.100.7:4711, 198.51.100.7", "'[2001:db8::1]:4711', 2001:db8:0:0:0:0:0:0/64",
			"2001:DB8::1%eth0, 2001:db8:0:0:0:0:0:0/64", "'198.51.100.7, fd00::1', 198.51.100.7",
			"'198.51.100.7,::ffff:10.0.0.9', 198.51.100.7" })
	void isTheLastAddressForwardedThatIsNoTrustedProxy(String forwardedFor, String client) {
		assertThat(client(PROXY, List.of(), List.of(forwardedFor))).isEqualTo(client);
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown", "_hidden", "", " ", ",", "198.51.100.7, unknown", "example.org", "localhost",
			"0177.1", "127.1", "198.51.100.7:", "198.51.100.7:123456", "[198.51.100.7]", "[2001:db8::1", "2001:db8::1]",
			"[2001:db8::1]x", "\"198.51.100.7\"", "for=198.51.100.7", "198.51.100.7;", "198.51.100.7 198.51.100.8",
			"${jndi:ldap://x}", "{}", "\ud800", "1.2.3.4\u0000" })
	void isTheLastTrustedProxyWhereTheNextCannotBeRead(String forwardedFor) {
		assertThat(client(PROXY, List.of(), List.of(forwardedFor))).isEqualTo(PROXY);
		assertThat(client(PROXY, List.of(), List.of(forwardedFor + ", 10.0.0.2"))).isEqualTo("10.0.0.2");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "for=198.51.100.7|198.51.100.7", "For=198.51.100.7;Proto=https|198.51.100.7",
					"proto=https;for=\"198.51.100.7:4711\";by=_x|198.51.100.7",
					"for=\"[2001:db8::17]:4711\"|2001:db8:0:0:0:0:0:0/64", "for=\"198.51.100.7:_port\"|198.51.100.7",
					"for=[2001:db8::17]|2001:db8:0:0:0:0:0:0/64", "for=1.1.1.1, for=198.51.100.7|198.51.100.7",
					"for=198.51.100.7 ; proto=https , for=10.0.0.2;host=x.example:80|198.51.100.7",
					"for=\", for=198.51.100.7|198.51.100.7" })
	void readsForwarded(String forwarded, String client) {
		assertThat(client(PROXY, List.of(forwarded), List.of())).isEqualTo(client);
	}

	@ParameterizedTest
	@ValueSource(strings = { "for=unknown", "for=_hidden", "for=\"_hidden\"", "proto=https", "", "for=", "for=\"\"",
			"for", "=198.51.100.7", "198.51.100.7", "for=198.51.100.7;for=198.51.100.8", "for=\"198.51.100.7",
			"for=198.51.100.7\"", "for=198.51.100.7;;proto=https", "for=198.51.100.7;host=\"a\\\"b\"",
			"for = 198.51.100.7", "host=\"x, for=6.6.6.6\"", "host=\"x, for=6.6.6.6, y\"",
			"host=\"x, for=6.6.6.6;by=\"", "host=\"x, for=6.6.6.6;by=\";proto=\"http\"",
			"host=\"x, for=6.6.6.6;by=\\\"\"", "for=\"198.51.100.7\"x" })
	void isTheLastTrustedProxyWhereForwardedCannotBeRead(String forwarded) {
		assertThat(client(PROXY, List.of(forwarded), List.of())).isEqualTo(PROXY);
		assertThat(client(PROXY, List.of(forwarded + ",for=10.0.0.2"), List.of())).isEqualTo("10.0.0.2");
	}

	@Test
	void readsAllLinesInOrder() {
		assertThat(client(PROXY, List.of(), List.of("1.1.1.1", "198.51.100.7", "10.0.0.2"))).isEqualTo("198.51.100.7");
		assertThat(client(PROXY, List.of("for=1.1.1.1", "for=198.51.100.7"), List.of())).isEqualTo("198.51.100.7");
	}

	@Test
	void followsBothHeadersWhileTheyAgree() {
		assertThat(client(PROXY, List.of("for=198.51.100.7"), List.of("198.51.100.7:99"))).isEqualTo("198.51.100.7");
		assertThat(client(PROXY, List.of("for=10.0.0.2"), List.of("198.51.100.7, 10.0.0.2"))).isEqualTo("198.51.100.7");
		assertThat(client(PROXY, List.of("for=198.51.100.7, for=10.0.0.2"), List.of("10.0.0.2")))
			.isEqualTo("198.51.100.7");
	}

	@Test
	void believesNoHeaderThatTheOtherContradicts() {
		assertThat(client(PROXY, List.of("for=203.0.113.66"), List.of("198.51.100.7"))).isEqualTo(PROXY);
		assertThat(client(PROXY, List.of("proto=https"), List.of("198.51.100.7"))).isEqualTo(PROXY);
		assertThat(client(PROXY, List.of("for=203.0.113.66,for=10.0.0.2"), List.of("198.51.100.7,10.0.0.2")))
			.isEqualTo("10.0.0.2");
	}

	@Test
	void looksAtNoMoreProxiesThanThereMayBe() {
		String proxies = String.join(",", Collections.nCopies(ClientIp.MOST_HOPS - 1, "10.0.0.2"));
		assertThat(client(PROXY, List.of(), List.of("198.51.100.7," + proxies))).isEqualTo("198.51.100.7");
		assertThat(client(PROXY, List.of(), List.of("198.51.100.7,10.0.0.3," + proxies))).isEqualTo("10.0.0.3");
	}

	@Test
	void readsNoEntryThatIsTooLong() {
		String zone = "%" + "z".repeat(100);
		assertThat(client(PROXY, List.of(), List.of("2001:db8::1" + zone))).isEqualTo("2001:db8:0:0:0:0:0:0/64");
		assertThat(client(PROXY, List.of(), List.of("2001:db8::1" + zone + zone))).isEqualTo(PROXY);
	}

	@Test
	void looksAtNoMoreCharactersThanThereMayBe() {
		String far = " ".repeat(ForwardedEntries.MOST_CHARACTERS - 24);
		assertThat(client(PROXY, List.of(), List.of("198.51.100.77," + far + "10.0.0.222"))).isEqualTo("198.51.100.77");
		assertThat(client(PROXY, List.of(), List.of("198.51.100.777" + "," + far + "10.0.0.222")))
			.isEqualTo("10.0.0.222");
		assertThat(client(PROXY, List.of(), List.of("198.51.100.7," + "  " + far + "10.0.0.222")))
			.isEqualTo("10.0.0.222");
		assertThat(client(PROXY, List.of(), List.of("1.1.1.1,".repeat(10_000) + "198.51.100.7")))
			.isEqualTo("198.51.100.7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/run/app.sock", "unix:", "localhost", "127.1" })
	void isNullIfThePeerHasNoAddress(String peer) {
		assertThat(client(peer, List.of("for=198.51.100.7"), List.of("198.51.100.7"))).isNull();
		assertThat(this.clientIp.resolve(new CallContext(Caller.NONE, Map.of()))).isNull();
	}

	@Test
	void distinguishesIpv6ClientsByTheirPrefix() {
		List<String> clients = Stream.of("2001:db8:1:2::1", "2001:db8:1:2:ffff::", "2001:db8:1:3::1")
			.map((peer) -> String.valueOf(client(peer, List.of(), List.of())))
			.toList();
		assertThat(clients).containsExactly("2001:db8:1:2:0:0:0:0/64", "2001:db8:1:2:0:0:0:0/64",
				"2001:db8:1:3:0:0:0:0/64");
		assertThat(new ClientIp(List.of(), 48).resolve(call("2001:db8:1:2::1", List.of(), List.of())))
			.isEqualTo("2001:db8:1:0:0:0:0:0/48");
		assertThat(new ClientIp(List.of(), 128).resolve(call("2001:db8:1:2::1", List.of(), List.of())))
			.isEqualTo("2001:db8:1:2:0:0:0:1/128");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 47, 129, -1 })
	void refusesAPrefixThatDistinguishesTooFewOrTooManyClients(int prefix) {
		assertThatIllegalArgumentException().isThrownBy(() -> new ClientIp(List.of(), prefix))
			.withMessage("an IPv6 prefix must be from 48 to 128, was " + prefix);
	}

	private @Nullable String client(String peer, List<String> forwarded, List<String> forwardedFor) {
		return this.clientIp.resolve(call(peer, forwarded, forwardedFor));
	}

	private static CallContext call(String peer, List<String> forwarded, List<String> forwardedFor) {
		return call(peer, Map.of("Forwarded", forwarded, "X-Forwarded-For", forwardedFor));
	}

	private static CallContext call(String peer, Map<String, List<String>> headers) {
		return new CallContext(new Caller() {

			@Override
			public String remoteAddress() {
				return peer;
			}

			@Override
			public List<String> headers(String name) {
				return headers.getOrDefault(name, List.of());
			}

		}, Map.of());
	}

}
