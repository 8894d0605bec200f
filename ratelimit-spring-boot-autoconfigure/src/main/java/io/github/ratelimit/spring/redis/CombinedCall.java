package io.github.ratelimit.spring.redis;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Calls of one script as one call of the script that decides on them one by one, and the
 * parts of its answer.
 */
final class CombinedCall {

	private static final int HEADER = ScriptCalls.CALL_NUMBERS * Double.BYTES;

	private static final int ANSWER_HEADER = ScriptCalls.ANSWER_NUMBERS * Double.BYTES;

	private CombinedCall() {
	}

	/**
	 * What to send for calls, of one script, in their order.
	 * @param waited how long the first of them has waited, in nanoseconds
	 */
	static ScriptCall of(List<ScriptCall> calls, long waited) {
		ScriptCall first = calls.get(0);
		DecisionScript oneByOne = first.script().oneByOne();
		if (oneByOne == null || calls.size() == 1) {
			return new ScriptCall(first.script(), first.keys(), first.arguments(), 1, waited);
		}
		byte[][] arguments = { first.arguments()[0], numbers(calls) };
		return new ScriptCall(oneByOne, keys(calls), arguments, calls.size(), waited);
	}

	private static byte[][] keys(List<ScriptCall> calls) {
		int limits = calls.get(0).keys().length;
		byte[][] keys = new byte[limits * calls.size()][];
		for (int i = 0; i < calls.size(); i++) {
			System.arraycopy(calls.get(i).keys(), 0, keys, limits * i, limits);
		}
		return keys;
	}

	private static byte[] numbers(List<ScriptCall> calls) {
		byte[] first = calls.get(0).arguments()[1];
		int limits = first.length - HEADER;
		byte[] numbers = Arrays.copyOf(first, HEADER + limits * calls.size());
		for (int i = 1; i < calls.size(); i++) {
			System.arraycopy(calls.get(i).arguments()[1], HEADER, numbers, HEADER + limits * i, limits);
		}
		return numbers;
	}

	/**
	 * What the answer says to one of several calls, as if to it alone; null where it
	 * failed.
	 */
	static byte @Nullable [] part(byte[] answer, int index, int calls) {
		int length = (answer.length - ANSWER_HEADER) / calls;
		byte[] part = Arrays.copyOf(answer, ANSWER_HEADER + length);
		System.arraycopy(answer, ANSWER_HEADER + length * index, part, ANSWER_HEADER, length);
		return (ScriptCalls.read(part, ScriptCalls.ANSWER_NUMBERS) < 0) ? null : part;
	}

}
