package io.github.ratelimit.autoconfigure.redis;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedisNamesTests {

	@Test
	void haveThePrefixThatIsConfiguredWhateverTheNameIs() {
		assertThat(RedisNames.of("our:limits", "shop").prefix()).isEqualTo("our:limits");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{a}", "a}", "a b", "\u00e9" })
	void nameThePropertyThatIsWrong(String prefix) {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> RedisNames.of(prefix, "shop"))
			.withMessage("The property 'ratelimit.redis.key-prefix' must be 1 to 64 visible ASCII characters "
					+ "without braces, was '" + prefix + "'");
	}

}
