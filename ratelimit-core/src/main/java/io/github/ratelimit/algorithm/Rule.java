package io.github.ratelimit.algorithm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The Lua form of formulas, for stores that decide in Redis. Formulas of the same rule
 * can read each other's states.
 *
 * @param name the name of a file next to this class, without its ending
 * @param letters the letters of its states, which no other rule has: each state begins
 * with one of them. In the file, {@code LETTERS[1]} stands for the first
 */
public record Rule(String name, String letters) {

	/**
	 * Returns the Lua form.
	 * @return the text of the file, with letters instead of their placeholders
	 */
	public String lua() {
		String lua = file();
		for (int index = 0; index < this.letters.length(); index++) {
			lua = lua.replace("LETTERS[" + (index + 1) + "]", "'" + this.letters.charAt(index) + "'");
		}
		return lua;
	}

	private String file() {
		try (InputStream in = Rule.class.getResourceAsStream(this.name + ".lua")) {
			return new String(Objects.requireNonNull(in, this.name + ".lua is missing").readAllBytes(),
					StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
