package io.github.ratelimit.benchmarks.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An application in a process of its own, whose processor time differs from that of its
 * callers.
 */
final class ApplicationProcess implements MeasuredServer, AutoCloseable {

	/** The line that an application prints once it listens, before its port. */
	static final String LISTENS = "listens at ";

	private final Process process;

	private final int port;

	private ApplicationProcess(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/** Starts an application by its main class, and waits until it listens. */
	static ApplicationProcess start(Class<?> main, List<String> arguments) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		List<String> command = Stream
			.concat(Stream.of(java, "-Xmx512m", "-cp", classPath(), main.getName()), arguments.stream())
			.toList();
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
			return new ApplicationProcess(process, port(process.inputReader(), main));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the port at which it listens. */
	int port() {
		return this.port;
	}

	@Override
	public double cpuMicros() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3;
	}

	/** Keeps what it has counted, as its calls are alike from the second on. */
	@Override
	public void clear() {
	}

	@Override
	public void close() {
		this.process.destroy();
	}

	private static int port(BufferedReader output, Class<?> main) {
		return output.lines()
			.filter((line) -> line.startsWith(LISTENS))
			.mapToInt((line) -> Integer.parseInt(line.substring(LISTENS.length())))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(main.getName() + " did not start"));
	}

	/**
	 * Returns the class path of this code, for which Maven has a class loader of its own.
	 */
	private static String classPath() {
		if (!(ApplicationProcess.class.getClassLoader() instanceof URLClassLoader loader)) {
			return System.getProperty("java.class.path");
		}
		return Stream.of(loader.getURLs())
			.map((url) -> Path.of(URI.create(url.toString())).toString())
			.collect(Collectors.joining(File.pathSeparator));
	}

}
