package io.github.ratelimit.spring.redis;

/**
 * What a run of a script is to do.
 */
final class ScriptCall {

	private final DecisionScript script;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final int calls;

	private final long waited;

	/**
	 * A run of a script.
	 * @param script what to run
	 * @param keys all of the keys it touches
	 * @param arguments its other arguments
	 * @param calls how many calls are decided by it
	 * @param waited how long the first of them has waited for others, in nanoseconds
	 */
	ScriptCall(DecisionScript script, byte[][] keys, byte[][] arguments, int calls, long waited) {
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.calls = calls;
		this.waited = waited;
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

	long waited() {
		return this.waited;
	}

}
