package io.github.ratelimit.key;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HostNameTests {

	@ParameterizedTest
	@ValueSource(strings = { "shop.example", "SHOP.Example", "shop.example.", "shop.example:80", "shop.example:8080",
			"shop.example.:443", "shop.example:", "user@shop.example:80", " shop.example " })
	void isOneForEverySpelling(String authority) {
		assertThat(HostName.of(authority)).isEqualTo("shop.example");
	}

	@ParameterizedTest
	@CsvSource({ "[2001:DB8::1]:8080, [2001:db8::1]", "[2001:db8::1], [2001:db8::1]", "2001:db8::1, 2001:db8::1",
			"192.0.2.1:80, 192.0.2.1", "my_shop.example:80, my_shop.example" })
	void keepsTheColonsOfAddresses(String authority, String host) {
		assertThat(HostName.of(authority)).isEqualTo(host);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".", ":80", "user@" })
	void isNullWithoutAHost(String authority) {
		assertThat(HostName.of(authority)).isNull();
	}

	@Test
	void isNullIfUnknown() {
		assertThat(HostName.of(null)).isNull();
	}

}
