package io.github.ratelimit.spring.redis.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Rule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Assembled scripts as Redis runs them, in files next to the resources of this package.
 * {@code -Dgolden.write=true} writes the files.
 */
class AssembledScriptsTests {

	private static final Path FOLDER = Path.of("src", "test", "resources")
		.resolve(AssembledScriptsTests.class.getPackageName().replace('.', '/'));

	private static final boolean WRITE = Boolean.getBoolean("golden.write");

	private static final List<Rule> TOKEN_BUCKET = rules(Algorithm.TOKEN_BUCKET);

	private static final List<Rule> TWO_LIMITS = rules(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);

	@Test
	void assemblesOneRequestWithATokenBucket() throws IOException {
		assertThatFileHas("assembled-token-bucket.lua", DecisionScript.ofOne(TOKEN_BUCKET));
	}

	@Test
	void assemblesOneRequestWithTwoLimits() throws IOException {
		assertThatFileHas("assembled-token-bucket-and-fixed-window.lua", DecisionScript.ofOne(TWO_LIMITS));
	}

	@Test
	void assemblesSeveralEqualRequests() throws IOException {
		assertThatFileHas("assembled-several.lua", DecisionScript.ofSeveral(TWO_LIMITS));
	}

	@Test
	void assemblesRequestsOneByOne() throws IOException {
		DecisionScript oneByOne = DecisionScript.ofOne(TOKEN_BUCKET).oneByOne();
		assertThatFileHas("assembled-token-bucket-one-by-one.lua", Objects.requireNonNull(oneByOne));
	}

	@Test
	void assemblesTheSettlementOfADetachedCharge() throws IOException {
		assertThatFileHas("assembled-several-settling.lua", DecisionScript.ofSeveral(TWO_LIMITS).settling());
	}

	private static void assertThatFileHas(String name, DecisionScript script) throws IOException {
		Path file = FOLDER.resolve(name);
		if (WRITE) {
			Files.createDirectories(FOLDER);
			Files.writeString(file, script.text(), StandardCharsets.US_ASCII);
		}
		assertThat(file).as("%s is out of date; -Dgolden.write=true writes it, for you to check the difference", file)
			.hasContent(script.text());
	}

	private static List<Rule> rules(Algorithm... algorithms) {
		return Stream.of(algorithms).map(Algorithm::rule).toList();
	}

}
