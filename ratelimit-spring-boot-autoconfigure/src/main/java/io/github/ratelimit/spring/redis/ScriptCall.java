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
record ScriptCall(DecisionScript script, List<String> keys, List<String> arguments) {

	byte[][] keyBytes() {
		return bytes(this.keys);
	}

	byte[][] argumentBytes() {
		return bytes(this.arguments);
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
	}

}
