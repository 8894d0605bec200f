package io.github.ratelimit.spring.web;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class LimitedPathsTests {

	private final AtomicInteger parsed = new AtomicInteger();

	private final LimitedPaths paths = LimitedPaths
		.of(List.of(List.of(pattern("/quotes/{id}"), pattern("/all")), List.of(pattern("/books/**"))));

	@Test
	void haveTheMethodsWhosePatternsMatch() {
		assertThat(mayHave(this.paths, "/quotes/7")).isTrue();
		assertThat(mayHave(this.paths, "/all")).isTrue();
		assertThat(mayHave(this.paths, "/books/a/b")).isTrue();
		assertThat(mayHave(this.paths, "/quotes")).isFalse();
		assertThat(mayHave(this.paths, "/other")).isFalse();
	}

	@Test
	void rememberWhatTheyFound() {
		for (int request = 0; request < 3; request++) {
			assertThat(mayHave(this.paths, "/quotes/7")).isTrue();
			assertThat(mayHave(this.paths, "/other")).isFalse();
		}
		assertThat(this.parsed).hasValue(2);
	}

	@Test
	void answerForEachOfManyPaths() {
		for (int round = 0; round < 2; round++) {
			for (int id = 0; id < 1_000; id++) {
				assertThat(mayHave(this.paths, "/quotes/" + id)).isTrue();
				assertThat(mayHave(this.paths, "/other/" + id)).isFalse();
			}
		}
	}

	@Test
	void keepNoLongPath() {
		String path = "/books/" + "a".repeat(200);
		assertThat(mayHave(this.paths, path)).isTrue();
		assertThat(mayHave(this.paths, path)).isTrue();
		assertThat(this.parsed).hasValue(2);
	}

	@Test
	void mayBeAnyIfAMethodIsMappedByOtherMeans() {
		LimitedPaths any = LimitedPaths.of(Arrays.asList(List.of(pattern("/all")), null));
		assertThat(mayHave(any, "/other")).isTrue();
	}

	@Test
	void areNoneWithoutLimitedMethods() {
		assertThat(mayHave(LimitedPaths.of(List.of()), "/all")).isFalse();
		assertThat(this.parsed).hasValue(0);
	}

	private boolean mayHave(LimitedPaths paths, String path) {
		return paths.mayHave(path, () -> {
			this.parsed.incrementAndGet();
			return PathContainer.parsePath(path);
		});
	}

	private static PathPattern pattern(String pattern) {
		return PathPatternParser.defaultInstance.parse(pattern);
	}

}
