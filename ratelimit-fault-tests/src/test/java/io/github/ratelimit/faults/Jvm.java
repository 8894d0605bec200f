package io.github.ratelimit.faults;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** Another JVM with the class path of the tests, which ends with this one. */
final class Jvm implements AutoCloseable {

	private static final String READY = "ready";

	/** The properties of folders that it may write to, as here. */
	private static final List<String> SHARED = List.of("java.io.tmpdir", "server.tomcat.basedir");

	private final Process process;

	private final BufferedReader output;

	private Jvm(Process process) {
		this.process = process;
		this.output = process.inputReader(StandardCharsets.UTF_8);
	}

	/** Runs a main class with a maximum heap. */
	static Jvm run(String heap, Class<?> main, Object... arguments) {
		return run(List.of(), List.of("-Xmx" + heap), main, arguments);
	}

	/**
	 * Runs a main class with options of the JVM, by a command that runs others if there
	 * is one.
	 */
	static Jvm run(List<String> by, List<String> options, Class<?> main, Object... arguments) {
		List<String> command = new ArrayList<>(by);
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		for (String property : SHARED) {
			Optional.ofNullable(System.getProperty(property))
				.ifPresent((value) -> command.add("-D" + property + "=" + value));
		}
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		List.of(arguments).forEach((argument) -> command.add(argument.toString()));
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			return new Jvm(process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reports, in the other JVM, that it is ready, and waits for {@link #go}.
	 * @throws IOException if the JVM of the test has ended
	 */
	static void awaitGo() throws IOException {
		System.out.write((READY + "\n").getBytes(StandardCharsets.UTF_8));
		System.out.flush();
		if (System.in.read() < 0) {
			throw new EOFException("The JVM of the test has ended");
		}
	}

	/** Waits until the other JVM reports that it is ready. */
	void awaitReady() {
		List<String> before = this.output.lines().takeWhile((line) -> !line.equals(READY)).toList();
		assertThat(this.process.isAlive()).as("%s", before).isTrue();
	}

	/** Lets the other JVM go on after it was ready. */
	void go() {
		try {
			this.process.getOutputStream().write('\n');
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void pause() {
		signal("STOP");
	}

	void resume() {
		signal("CONT");
	}

	/** Waits until the other JVM has ended with status 0. */
	void join() {
		String rest = this.output.lines().collect(Collectors.joining("\n"));
		assertThat(this.process.onExit().join().exitValue()).as(rest).isZero();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
