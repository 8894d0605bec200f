package io.github.ratelimit.sample;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the alert rules by Prometheus' own tool.
 */
@Tag("promtool")
class AlertRulesTests {

	private static final Path RULES = Markdown.root().resolve("docs/observability");

	@Test
	void areValid() throws IOException, InterruptedException {
		assertThat(promtool("check", "rules", "alerts.yml")).contains("SUCCESS");
	}

	@Test
	void alertWhenTheirTestsSay() throws IOException, InterruptedException {
		assertThat(promtool("test", "rules", "alerts-test.yml")).contains("SUCCESS");
	}

	private static String promtool(String... arguments) throws IOException, InterruptedException {
		assertThat(isInstalled())
			.as("'promtool' must be on the PATH: install Debian's package 'prometheus', or leave these tests out with "
					+ "-Dtest.excluded-groups=slow,promtool")
			.isTrue();
		Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList())
			.directory(RULES.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

	private static boolean isInstalled() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "promtool")));
	}

}
