package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One run of a script.
 *
 * @param script what to run
 * @param keys all of the keys it touches
 * @param arguments its other arguments
 */
record ScriptCall(DecisionScript script, List<String> keys, List<byte[]> arguments) {

	byte[][] keyBytes() {
		return this.keys.stream().map((key) -> key.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
	}

	byte[][] argumentBytes() {
		return this.arguments.toArray(byte[][]::new);
	}

}
