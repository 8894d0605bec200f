package io.github.ratelimit.starter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.example.BeanReport;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application: its class, the dependencies that it declares, and its properties.
 */
record Application(Class<?> type, List<String> dependencies, List<String> properties) {

	private static final ClassPath CLASS_PATH = ClassPath.read();

	private static final Path OUTPUT = Path.of("target/applications");

	private static final String BEANS = "beans.txt";

	private static final String LOG = "log.txt";

	/** Lines without the time, and nothing that is chosen at random. */
	private static final List<String> ALWAYS = List.of("logging.pattern.console=%p %logger: %m%n",
			"spring.main.banner-mode=off", "server.port=0", "spring.security.user.password=secret",
			"spring.datasource.generate-unique-name=false");

	static Application of(Class<?> type, String... dependencies) {
		return new Application(type, List.of(dependencies), ALWAYS);
	}

	Application with(String... more) {
		return new Application(this.type, joined(this.dependencies, more), this.properties);
	}

	Application withProperties(String... more) {
		return new Application(this.type, this.dependencies, joined(this.properties, more));
	}

	/** Starts and closes it in a JVM of its own. */
	Started start() {
		try {
			Files.createDirectories(OUTPUT);
			Path folder = Files.createTempDirectory(OUTPUT, this.type.getSimpleName());
			run(folder, folder.resolve(LOG));
			return Started.read(folder.resolve(BEANS), folder.resolve(LOG));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void run(Path folder, Path log) throws IOException {
		Process process = new ProcessBuilder(command(folder)).redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			assertThat(process.onExit()).as("end, see %s", log).succeedsWithin(Duration.ofMinutes(5));
			assertThat(process.exitValue()).as("exit value, see %s", log).isZero();
		}
		finally {
			process.destroyForcibly();
		}
	}

	private List<String> command(Path folder) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Dreactor.netty.ioShutdownQuietPeriod=0",
						"-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"), "-Dserver.tomcat.basedir=" + folder,
						"-cp", CLASS_PATH.of(this.dependencies), BeanReport.class.getName(),
						folder.resolve(BEANS).toString(), this.type.getName()));
		this.properties.forEach((property) -> command.add("--" + property));
		return command;
	}

	private static List<String> joined(List<String> some, String... more) {
		return Stream.concat(some.stream(), Stream.of(more)).toList();
	}

	/**
	 * The beans of an application that started, by their names, and the lines that it
	 * logged.
	 */
	record Started(Map<String, String> beans, List<String> lines) {

		private static final String OURS = "io.github.ratelimit.";

		private static Started read(Path beans, Path log) throws IOException {
			return new Started(
					Files.readAllLines(beans)
						.stream()
						.map((line) -> line.split("\t", 2))
						.collect(Collectors.toMap((bean) -> bean[0], (bean) -> bean[1])),
					Files.readAllLines(log).stream().map(Started::constant).sorted().toList());
		}

		/** Returns it without the beans and lines of this project. */
		Started others() {
			return new Started(
					this.beans.entrySet()
						.stream()
						.filter((bean) -> !bean.getKey().startsWith(OURS) && !bean.getValue().startsWith(OURS))
						.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
					this.lines.stream().filter((line) -> !isOurs(line)).toList());
		}

		/** Returns the type of a bean. */
		@Nullable String type(String bean) {
			return this.beans.get(bean);
		}

		/** Returns whether a line contains a text. */
		boolean logs(String text) {
			return this.lines.stream().anyMatch((line) -> line.contains(text));
		}

		/** Returns the lines of this project. */
		List<String> ourLines() {
			return this.lines.stream().filter(Started::isOurs).toList();
		}

		private static boolean isOurs(String line) {
			return line.matches("[A-Z]+ " + OURS + ".*");
		}

		/** Replaces times, process ids, ports and hash codes. */
		private static String constant(String line) {
			return line.replaceAll("(?<=\\b(in|for|PID|port) )[0-9][0-9.,]*", "#")
				.replaceAll("(?<=@|id=)[0-9a-f-]+", "#");
		}

	}

}
