package io.github.ratelimit.spring.redis;

/**
 * What a run of a script is to do.
 */
final class ScriptCall {

	private final DecisionScript script;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final int calls;

	private final long since;

	/**
	 * A run of a script.
	 * @param script what to run
	 * @param keys all of the keys it touches
	 * @param arguments its other arguments
	 * @param calls how many calls are decided by it
	 * @param since when the first of them came, as {@link System#nanoTime} has it
	 */
	ScriptCall(DecisionScript script, byte[][] keys, byte[][] arguments, int calls, long since) {
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.calls = calls;
		this.since = since;
	}

	DecisionScript script() {
		return this.script;
	}

	byte[][] keys() {
		return this.keys;
	}

	byte[][] arguments() {
		return this.arguments;
	}

	int calls() {
		return this.calls;
	}

	long since() {
		return this.since;
	}

}
