package io.github.ratelimit.policy;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link KeyControls}.
 */
class KeyControlsTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 8, 9, 1000, 20_000 })
	void findsEachKeyAndNoOther(int keys) {
		KeyControls controls = new KeyControls(subjects(keys, "client-ip:192.0.2.")
			.collect(Collectors.toMap(Function.identity(), (subject) -> KeyControl.BAN)));
		assertThat(subjects(keys, "client-ip:192.0.2.")).allMatch((subject) -> banned(controls, subject));
		assertThat(subjects(keys, "client-ip:198.51.100.")).noneMatch((subject) -> banned(controls, subject));
		assertThat(controls.isEmpty()).isFalse();
	}

	@Test
	void findsNothingWithoutControls() {
		assertThat(subjects(1000, "")).noneMatch((subject) -> banned(KeyControls.NONE, subject));
		assertThat(KeyControls.NONE.isEmpty()).isTrue();
	}

	@Test
	void tellsKeysOfTheSameHashApart() {
		KeyControls controls = new KeyControls(Map.of(new Subject("api", "Aa"), KeyControl.BAN));
		assertThat("Aa").hasSameHashCodeAs("BB");
		assertThat(controls.of("api", "Aa").banned()).isTrue();
		assertThat(controls.of("api", "BB").banned()).isFalse();
	}

	private static boolean banned(KeyControls controls, Subject subject) {
		return controls.of(subject.policy(), subject.key()).banned();
	}

	private static Stream<Subject> subjects(int count, String prefix) {
		return IntStream.range(0, count).mapToObj((key) -> new Subject("policy" + key % 3, prefix + key));
	}

}
