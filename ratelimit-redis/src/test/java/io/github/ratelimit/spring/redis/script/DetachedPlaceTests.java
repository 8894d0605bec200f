package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the places of detached charges.
 */
class DetachedPlaceTests {

	private static final String HASH = "abcdefghijklmnopqrstuv";

	@Test
	void readsWhatItHasWritten() {
		DetachedPlace.Expiring place = new DetachedPlace.Expiring(DetachedPlace.random(HASH, "a.policy-1_x"),
				1_790_000_000_000_000L);
		assertThat(DetachedPlace.Expiring.of(place.bytes())).isEqualTo(place);
		assertThat(DetachedPlace.of(place.place().text())).isEqualTo(place.place());
	}

	@Test
	void isAnotherOneEachTime() {
		assertThat(Stream.generate(() -> DetachedPlace.random(HASH, "policy")).limit(1000)).doesNotHaveDuplicates();
	}

	/** A place that is made up must not reach a key of another kind. */
	@ParameterizedTest
	@ValueSource(strings = { "", "short", HASH + HASH, HASH + HASH + "a:b", HASH + HASH + "a}b", HASH + HASH + "a\n",
			HASH + "abcdefghijklmnopqrstu}" + "policy", HASH + HASH + "é" })
	void refusesAnotherForm(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> DetachedPlace.of(text.getBytes(StandardCharsets.UTF_8)));
	}

}
