package io.github.ratelimit.key;

import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class IpRangeTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, 10.255.255.255, true", "10.0.0.0/8, 11.0.0.0, false", "10.0.0.0/8, ::ffff:10.1.2.3, true",
			"0.0.0.0/0, 203.0.113.9, true", "0.0.0.0/0, 2001:db8::1, false", "::/0, 2001:db8::1, true",
			"::/0, 192.0.2.1, false", "::ffff:10.0.0.0/104, 10.1.2.3, true", "192.0.2.1, 192.0.2.1, true",
			"192.0.2.1, 192.0.2.2, false", "192.0.2.0/31, 192.0.2.1, true", "192.0.2.0/31, 192.0.2.2, false",
			"2001:db8::/32, 2001:DB8:ffff::1, true", "2001:db8::/32, 2001:db9::, false", "::1/128, ::1, true",
			"fc00::/7, fdff::1, true", "fc00::/7, fe00::1, false" })
	void containsWhatBeginsWithItsBits(String range, String address, boolean contained) {
		IpAddress parsed = Objects.requireNonNull(IpAddress.parse(address));
		assertThat(IpRange.parse(range).contains(parsed)).isEqualTo(contained);
	}

	@ParameterizedTest
	@CsvSource({ "localhost, 'is no IP address or range'", "10.0/8, 'is no IP address or range'",
			"fe80::%eth0/64, 'is no IP address or range'", "'', 'is no IP address or range'",
			"10.0.0.1/8, 'bits beyond its prefix'", "2001:db8::1/64, 'bits beyond its prefix'",
			"10.0.0.0/33, 'from 0 to 32'", "::/129, 'from 0 to 128'", "10.0.0.0/, 'from 0 to 32'",
			"10.0.0.0/-1, 'from 0 to 32'", "10.0.0.0/8/8, 'from 0 to 32'", "10.0.0.0/99999999999, 'from 0 to 32'" })
	void refusesAnythingElse(String text, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> IpRange.parse(text))
			.withMessageContaining("'" + text + "'")
			.withMessageContaining(reason);
	}

}
