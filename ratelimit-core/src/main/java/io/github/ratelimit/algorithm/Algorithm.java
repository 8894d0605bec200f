package io.github.ratelimit.algorithm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;

/**
 * The ways to decide a limit. A constant's {@link #id} is its name in configuration, in
 * stored state and of its Lua form.
 */
public enum Algorithm {

	/**
	 * A bucket holds up to <em>burst</em> permits and refills evenly at the limit's rate;
	 * a call takes its cost out or, where too little is left, nothing. In any stretch of
	 * time <em>t</em> it admits at most {@code burst + rate * t}. See ITU-T I.371 for its
	 * equal, the generic cell rate algorithm.
	 */
	TOKEN_BUCKET("token-bucket", TokenBucket::new);

	private final String id;

	private final BiFunction<Rate, Long, Formula> formula;

	Algorithm(String id, BiFunction<Rate, Long, Formula> formula) {
		this.id = id;
		this.formula = formula;
	}

	/**
	 * The name that users write.
	 * @return lower case words joined by hyphens
	 */
	public String id() {
		return this.id;
	}

	/**
	 * The algorithm's Lua form, for stores that decide where the counts live.
	 * @return the text of the file beside this class
	 */
	public String lua() {
		try (InputStream in = Algorithm.class.getResourceAsStream(this.id + ".lua")) {
			if (in == null) {
				throw new IllegalStateException(this.id + ".lua is missing beside " + Algorithm.class.getName());
			}
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Formula formula(Rate rate, long burst) {
		return this.formula.apply(rate, burst);
	}

}
