package io.github.ratelimit.sample.live;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link LiveProperties}.
 */
class LivePropertiesTests {

	@Test
	void takesOrigins() {
		List<String> origins = List.of("http://localhost:8081", "https://sample.example.org");
		assertThat(new LiveProperties(origins, 1).instances()).isEqualTo(origins);
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "localhost:8081", "http://localhost:8081/", "http://a; script-src *",
			"http://user@localhost", "ftp://localhost" })
	void refusesAnythingButOrigins(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LiveProperties(List.of(text), 1))
			.withMessageContaining("sample.live.instances");
	}

	@Test
	void needsRoomForAStream() {
		assertThatIllegalArgumentException().isThrownBy(() -> new LiveProperties(List.of(), 0));
	}

}
