package io.github.ratelimit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ChargeTests {

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void refusesABlankKeyWhichAllCallersWithoutOneWouldShare(String key) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Charge("quotes", key, 1))
			.withMessage("'key' must not be blank, was '" + key + "'; use 'global' to count all callers together");
		assertThatIllegalArgumentException().isThrownBy(() -> Charge.of("quotes", key));
	}

}
