package io.github.ratelimit.spring.metrics;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prometheus' own tool, for tests of the documented alert rules.
 */
public final class Promtool {

	/** The folder of the alert rules. */
	public static final Path RULES = Path.of("..", "docs", "observability").toAbsolutePath().normalize();

	private Promtool() {
	}

	/**
	 * Runs the tool in the folder of the alert rules.
	 * @param arguments the arguments of the command line
	 * @return the output of a run that succeeded
	 */
	public static String run(String... arguments) throws IOException, InterruptedException {
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
