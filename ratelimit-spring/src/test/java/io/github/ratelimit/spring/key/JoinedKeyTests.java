package io.github.ratelimit.spring.key;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are joined, and their texts.
 */
class JoinedKeyTests {

	private static final CallContext CALL = new CallContext(Caller.NONE, Map.of());

	@ParameterizedTest
	@CsvSource({ "principal, principal", "principal + route, principal~route",
			"'principal   +\troute + host', principal~route~host", "query:a+b, query:a+b",
			"#a + '-' + #b, #a + '-' + #b", "route + #a + '-' + #b, route~#a + '-' + #b" })
	void consistOfWordsOfWhichTheLastMayBeAnExpression(String word, String words) {
		assertThat(String.join("~", JoinedKey.words(word))).isEqualTo(words);
	}

	@Test
	void areMissingWithoutOneOfTheirParts() {
		assertThat(resolve("principal:alice", "route:GET /")).isEqualTo("principal:alice + route:GET /");
		assertThat(resolve("principal:alice", null)).isNull();
		assertThat(resolve(null, "route:GET /")).isNull();
	}

	@Test
	void differIfTheirPartsDo() {
		String forged = "principal:alice + route:GET /";
		assertThat(resolve(forged, "route:GET /")).isEqualTo("principal:alice ++ route:GET / + route:GET /")
			.isNotEqualTo(resolve("principal:alice", "route:GET / + route:GET /"));
		assertThat(JoinedKey.split(resolveAll(List.of(forged, "route:GET /")))).containsExactly(forged, "route:GET /");
	}

	@Test
	void haveOneTextForOneListOfParts() {
		Random random = new Random(42);
		Map<String, List<String>> known = new HashMap<>();
		for (int i = 0; i < 20_000; i++) {
			List<String> parts = Stream.generate(() -> "w:" + text(random)).limit(2 + random.nextInt(2)).toList();
			String key = resolveAll(parts);
			assertThat(known.computeIfAbsent(key, (unknown) -> parts)).as(key).isEqualTo(parts);
			assertThat(JoinedKey.split(key)).isEqualTo(parts);
			assertThat(JoinedKey.join(parts)).isEqualTo(key);
		}
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(8); i > 0; i--) {
			text.append("  ++w:a".charAt(random.nextInt(7)));
		}
		return text.toString();
	}

	private static String resolveAll(List<String> parts) {
		return String.valueOf(resolve(parts.toArray(String[]::new)));
	}

	private static @Nullable String resolve(@Nullable String... parts) {
		return new JoinedKey(Stream.of(parts).<KeyResolver>map((part) -> (call) -> part).toList()).resolve(CALL);
	}

}
