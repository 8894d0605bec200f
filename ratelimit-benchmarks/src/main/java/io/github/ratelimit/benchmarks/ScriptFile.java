package io.github.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The files that scripts are in.
 */
public final class ScriptFile {

	private ScriptFile() {
	}

	/**
	 * The text of a script.
	 * @param neighbour a class of the same package
	 * @param name of the file
	 * @return the text
	 * @throws IllegalStateException if there is no such file
	 */
	public static String read(Class<?> neighbour, String name) {
		try (InputStream in = neighbour.getResourceAsStream(name)) {
			if (in == null) {
				throw new IllegalStateException(name + " is not in the package of " + neighbour.getName());
			}
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
