package io.github.ratelimit.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One call of a script.
 *
 * @param script the text of the script
 * @param keys the keys it touches
 * @param arguments its other arguments
 */
record ScriptCall(String script, List<byte[]> keys, List<byte[]> arguments) {

	/**
	 * Returns a call of a script in the package of this class.
	 * @param name of the script
	 * @param key the key it touches
	 * @param arguments its other arguments
	 * @return the call
	 */
	static ScriptCall of(String name, String key, Object... arguments) {
		return new ScriptCall(ScriptFile.read(ScriptCall.class, name), List.of(bytes(key)),
				Stream.of(arguments).map(String::valueOf).map(ScriptCall::bytes).toList());
	}

	/**
	 * This call on another key.
	 * @param key the key
	 * @return another call
	 */
	ScriptCall on(byte[] key) {
		return new ScriptCall(this.script, List.of(key), this.arguments);
	}

	/**
	 * This call with another argument.
	 * @param index of the argument
	 * @param argument in its place
	 * @return another call
	 */
	ScriptCall with(int index, long argument) {
		byte[][] changed = this.arguments.toArray(byte[][]::new);
		changed[index] = bytes(Long.toString(argument));
		return new ScriptCall(this.script, this.keys, Arrays.asList(changed));
	}

	/**
	 * This call with another first number in a text of numbers.
	 * @param index of the argument
	 * @param number in the place of the first
	 * @return another call
	 */
	ScriptCall withFirst(int index, long number) {
		byte[][] changed = this.arguments.toArray(byte[][]::new);
		changed[index] = changed[index].clone();
		ByteBuffer.wrap(changed[index]).order(ByteOrder.LITTLE_ENDIAN).putDouble((double) number);
		return new ScriptCall(this.script, this.keys, Arrays.asList(changed));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
