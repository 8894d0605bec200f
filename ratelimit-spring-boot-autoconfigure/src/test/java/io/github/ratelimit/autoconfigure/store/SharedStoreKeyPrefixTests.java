package io.github.ratelimit.autoconfigure.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SharedStoreKeyPrefixTests {

	@ParameterizedTest
	@CsvSource({ "shop, ratelimit:shop", "shop-2.eu_west, ratelimit:shop-2.eu_west", "'', ratelimit",
			"' ', ratelimit" })
	void containsTheNameOfTheApplication(String name, String prefix) {
		assertThat(SharedStore.keyPrefix(name)).isEqualTo(prefix);
	}

	/** A brace would end the hash tag, and patterns of an ACL know *, ?, [ and \. */
	@ParameterizedTest
	@CsvSource({ "my shop, ratelimit:my%20shop", "{shop}, ratelimit:%7Bshop%7D", "a:1, ratelimit:a%3A1",
			"a+b, ratelimit:a%2Bb", "*?[\\], ratelimit:%2A%3F%5B%5C%5D", "100%, ratelimit:100%25",
			"caf\u00e9, ratelimit:caf%C3%A9" })
	void encodesForbiddenCharacters(String name, String prefix) {
		assertThat(SharedStore.keyPrefix(name)).isEqualTo(prefix);
	}

	@Test
	void isTheConstantWithoutAName() {
		assertThat(SharedStore.keyPrefix(null)).isEqualTo("ratelimit");
	}

}
