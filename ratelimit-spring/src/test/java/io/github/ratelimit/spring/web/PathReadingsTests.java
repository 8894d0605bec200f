package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;

import static org.assertj.core.api.Assertions.assertThat;

class PathReadingsTests {

	@ParameterizedTest
	@ValueSource(strings = { "/", "", "/a", "/a/b.txt", "/a-b/c_d/~e", "/a..b", "/a.", "/a/%20b", "/.well-known/x" })
	void readsAPlainPathInOneWay(String path) {
		assertThat(PathReadings.of(PathContainer.parsePath(path))).extracting(PathContainer::value)
			.containsExactly(path);
	}

	@ParameterizedTest
	@CsvSource({ "//a/b, /a/b", "/a//b, /a/b", "/./a/b, /a/b", "/%2e/a/b, /a/b", "/a%2Fb, /a/b", "/a%5cb, /a/b",
			"/a/b/, /a/b", "/a/b//, /a/b", "/a/b/., /a/b", "/a;v=1/b, /a/b", "/a/b;/, /a/b", "/a/b/;, /a/b",
			"/x/../a/b, /a/b", "/a/b/x/.., /a/b", "/%61/b, /a/b", "//, /", "/a/%2e%2e/, /", "/%2561, /%2561",
			"/a%20b/, /a%20b" })
	void readsAPathAsItWasSentAndTidied(String sent, String tidied) {
		assertThat(PathReadings.of(PathContainer.parsePath(sent))).extracting(PathContainer::value)
			.first()
			.isEqualTo(sent);
		assertThat(PathReadings.of(PathContainer.parsePath(sent))).extracting(PathContainer::value)
			.last()
			.isEqualTo(tidied);
	}

	@Test
	void isPlainOnlyIfNoPartOfAServerCouldReadItOtherwise() {
		assertThat(PathReadings.isPlain("/a/b")).isTrue();
		for (String path : new String[] { "/a/", "/a//b", "/a/./b", "/a;b", "/a%62", "/a\\b", "/a/..", "//" }) {
			assertThat(PathReadings.isPlain(path)).as(path).isFalse();
		}
	}

}
