package io.github.ratelimit.spring.redis.script;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A codec for batches: it joins invocations of one script into one invocation of the
 * script that decides them one by one, and splits the reply.
 */
public final class BatchCodec {

	private static final int HEADER = ScriptCodec.HEADER_NUMBERS * Double.BYTES;

	private static final int REPLY_HEADER = ScriptCodec.REPLY_HEADER_NUMBERS * Double.BYTES;

	private BatchCodec() {
	}

	/**
	 * Joins invocations of one script, in their order.
	 * @param waited the time that the first of them was queued, in nanoseconds
	 */
	public static ScriptInvocation encode(List<ScriptInvocation> invocations, long waited) {
		ScriptInvocation first = invocations.get(0);
		DecisionScript oneByOne = first.script().oneByOne();
		if (oneByOne == null || invocations.size() == 1) {
			return new ScriptInvocation(first.script(), first.keys(), first.arguments(), 1, waited);
		}
		byte[] operation = first.arguments()[0];
		byte[] span = span(invocations);
		byte[][] arguments = (span != null) ? new byte[][] { operation, numbers(invocations), span }
				: new byte[][] { operation, numbers(invocations) };
		return new ScriptInvocation(oneByOne, keys(invocations), arguments, invocations.size(), waited);
	}

	/** Returns the span of time in which all of them can be decided. */
	private static byte @Nullable [] span(List<ScriptInvocation> invocations) {
		byte[] all = null;
		for (int i = 0; i < invocations.size(); i++) {
			byte[][] arguments = invocations.get(i).arguments();
			all = (arguments.length > 2) ? ScriptCodec.common(all, arguments[2]) : all;
		}
		return all;
	}

	private static byte[][] keys(List<ScriptInvocation> invocations) {
		int limits = invocations.get(0).keys().length;
		byte[][] keys = new byte[limits * invocations.size()][];
		for (int i = 0; i < invocations.size(); i++) {
			System.arraycopy(invocations.get(i).keys(), 0, keys, limits * i, limits);
		}
		return keys;
	}

	private static byte[] numbers(List<ScriptInvocation> invocations) {
		byte[] first = invocations.get(0).arguments()[1];
		int limits = first.length - HEADER;
		byte[] numbers = Arrays.copyOf(first, HEADER + limits * invocations.size());
		for (int i = 1; i < invocations.size(); i++) {
			System.arraycopy(invocations.get(i).arguments()[1], HEADER, numbers, HEADER + limits * i, limits);
		}
		return numbers;
	}

	/**
	 * Returns the part of a reply for one of several invocations, in the form of a reply
	 * to it alone; null if the script failed for it.
	 */
	public static byte @Nullable [] decode(byte[] reply, int index, int invocations) {
		if (!ScriptCodec.isDecided(reply)) {
			return reply;
		}
		int length = (reply.length - REPLY_HEADER) / invocations;
		byte[] part = Arrays.copyOf(reply, REPLY_HEADER + length);
		System.arraycopy(reply, REPLY_HEADER + length * index, part, REPLY_HEADER, length);
		return (ScriptCodec.read(part, ScriptCodec.REPLY_HEADER_NUMBERS) < 0) ? null : part;
	}

}
