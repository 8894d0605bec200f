package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The texts of the scripts that contenders run.
 */
final class Script {

	/** The least that limits: GCRA. */
	static final String GCRA = read("/io/github/ratelimit/benchmarks/gcra.lua");

	/** A token bucket of whole seconds in two keys, as in gateways. */
	static final String GATEWAY = read("gateway-bucket.lua");

	private Script() {
	}

	private static String read(String name) {
		try (InputStream in = Script.class.getResourceAsStream(name)) {
			if (in == null) {
				throw new IllegalStateException(name + " is missing beside " + Script.class.getName());
			}
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
