package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShortKeyTests {

	@Test
	void keepsAShortKeyAsItIs() {
		assertThat(Stream.of("", "a", "x".repeat(63)).map(ShortKey::of)).containsExactly("", "a", "x".repeat(63));
	}

	@Test
	void boundsALongKeyWhateverItsLength() {
		assertThat(Stream.of(64, 65, 8192, 1 << 20).map((length) -> ShortKey.of("x".repeat(length))))
			.allMatch((key) -> key.length() == 64)
			.doesNotHaveDuplicates();
	}

	@Test
	void keepsLongKeysApart() {
		String start = "x".repeat(100);
		List<String> keys = List.of(start, start + "\u0000", start + " ", start + "\ud800", start + "\udc00",
				start + "?", start + "\ufffd", ShortKey.of(start));
		assertThat(keys.stream().map(ShortKey::of)).doesNotHaveDuplicates();
	}

}
