package io.github.ratelimit.key;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class IpAddressTests {

	private static final int RANDOM_TEXTS = 200_000;

	@ParameterizedTest
	@CsvSource({ "192.0.2.1, 192.0.2.1", "0.0.0.0, 0.0.0.0", "255.255.255.255, 255.255.255.255",
			"::ffff:1.2.3.4, 1.2.3.4", "::ffff:102:304, 1.2.3.4", "0:0:0:0:0:FFFF:0102:0304, 1.2.3.4",
			"0::ffff:1.2.3.4, 1.2.3.4", "::FfFf:1.2.3.4%eth0, 1.2.3.4", "::, 0:0:0:0:0:0:0:0", "::1, 0:0:0:0:0:0:0:1",
			"2001:DB8::1, 2001:db8:0:0:0:0:0:1", "2001:0db8:0:0:0:0:0:0001, 2001:db8:0:0:0:0:0:1",
			"1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0", "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8", "fe80::1%eth0, fe80:0:0:0:0:0:0:1",
			"fe80::1%, fe80:0:0:0:0:0:0:1", "64:ff9b::192.0.2.33, 64:ff9b:0:0:0:0:c000:221",
			"::1.2.3.4, 0:0:0:0:0:0:102:304" })
	void readsEverySpelling(String text, String canonical) {
		assertThat(IpAddress.parse(text)).hasToString(canonical);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "localhost", "example.org", "0177.0.0.1", "0177.1", "127.1", "2130706433",
			"0x7f.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.4.", ".1.2.3.4", "1..2.3", "256.1.1.1", "1.2.3.04", "1.2.3.-4",
			"1.2.3.4 ", "1.2.3.4\n", "1.2.3.4%eth0", "\u0661.2.3.4", "unknown", "_hidden", "1:2:3:4:5:6:7",
			"1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", ":", ":::", "1::2::3", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:",
			"12345::", "g::", "\u0661::", "+1::", "::1.2.3", "::1.2.3.256", "1.2.3.4::", "::1.2.3.4:5",
			"1:2:3:4:5:6:7:1.2.3.4", "[::1]", "%", "%eth0", "1.2.3.4:80", "{}", "${jndi:ldap://x}" })
	void readsNothingElse(String text) {
		assertThat(IpAddress.parse(text)).isNull();
	}

	@Test
	void agreesWithTheJdkOnEveryTextItReads() throws UnknownHostException {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		int read = 0;
		for (int i = 0; i < RANDOM_TEXTS; i++) {
			String text = randomText(random).replaceAll("([0-9a-f]{4})[0-9a-f]+", "$1");
			IpAddress address = IpAddress.parse(text);
			assertThat(address != null).as("'%s', seed %d", text, seed).isEqualTo(jdk(text) != null);
			if (address != null) {
				read++;
				assertThat(bytes(address)).as("'%s', seed %d", text, seed).isEqualTo(jdk(text));
			}
		}
		assertThat(read).isBetween(RANDOM_TEXTS / 10, RANDOM_TEXTS * 9 / 10);
	}

	@Test
	void keepsTheFirstBits() {
		IpAddress address = Objects.requireNonNull(IpAddress.parse("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"));
		assertThat(address.prefix(64)).hasToString("2001:db8:ffff:ffff:0:0:0:0");
		assertThat(address.prefix(49)).hasToString("2001:db8:ffff:8000:0:0:0:0");
		assertThat(address.prefix(65)).hasToString("2001:db8:ffff:ffff:8000:0:0:0");
		assertThat(address.prefix(0)).hasToString("0:0:0:0:0:0:0:0");
		assertThat(address.prefix(128)).isEqualTo(address);
	}

	/**
	 * Returns mostly IPv6 with up to one mistake: a text with a colon is never looked up.
	 * The parts of an IPv4 address have no leading zeros, which the JDK would read.
	 * Groups are cut to four digits, as the JDK would read more.
	 */
	private static String randomText(Random random) {
		StringBuilder text = new StringBuilder();
		int groups = 6 + random.nextInt(4);
		int gap = random.nextInt(12);
		for (int i = 0; i < groups; i++) {
			text.append((i == gap) ? ":" : "").append((i > 0) ? ":" : "");
			text.append(random.nextInt(30) == 0 ? "" : Integer.toHexString(random.nextInt(0x10000)));
		}
		if (random.nextInt(4) == 0) {
			text.deleteCharAt(random.nextInt(text.length()));
		}
		if (random.nextInt(4) == 0) {
			text.append(':').append(random.nextInt(260)).append(".1.").append(random.nextInt(256)).append(".9");
		}
		return (text.indexOf(":") < 0) ? ":" : text.toString();
	}

	private static byte @Nullable [] jdk(String text) throws UnknownHostException {
		try {
			return InetAddress.getByName("[" + text + "]").getAddress();
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	private static byte[] bytes(IpAddress address) throws UnknownHostException {
		return InetAddress.getByName(address.toString()).getAddress();
	}

}
