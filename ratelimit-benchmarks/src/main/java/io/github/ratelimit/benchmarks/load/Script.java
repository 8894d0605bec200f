package io.github.ratelimit.benchmarks.load;

import io.github.ratelimit.benchmarks.ScriptFile;

/**
 * The texts of the scripts that contenders run.
 */
final class Script {

	/** The least that limits: GCRA. */
	static final String GCRA = ScriptFile.read(ScriptFile.class, "gcra.lua");

	/** A token bucket of whole seconds in two keys, as in gateways. */
	static final String GATEWAY = ScriptFile.read(Script.class, "gateway-bucket.lua");

	private Script() {
	}

}
