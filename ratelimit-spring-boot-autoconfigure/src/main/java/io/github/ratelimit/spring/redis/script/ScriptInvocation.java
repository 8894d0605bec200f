package io.github.ratelimit.spring.redis.script;

/** An invocation of a script. */
public final class ScriptInvocation {

	private final DecisionScript script;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final int requests;

	private final long waited;

	/**
	 * Creates an invocation.
	 * @param script the script
	 * @param keys all keys that it touches
	 * @param arguments its other arguments
	 * @param requests the number of requests that it decides
	 * @param waited the time that the first of them was queued, in nanoseconds
	 */
	public ScriptInvocation(DecisionScript script, byte[][] keys, byte[][] arguments, int requests, long waited) {
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.requests = requests;
		this.waited = waited;
	}

	/** Returns the script. */
	public DecisionScript script() {
		return this.script;
	}

	/** Returns all keys that the script touches. */
	public byte[][] keys() {
		return this.keys;
	}

	/** Returns the other arguments of the script. */
	public byte[][] arguments() {
		return this.arguments;
	}

	/** Returns the number of requests that the script decides. */
	public int requests() {
		return this.requests;
	}

	/** Returns the time that the first request was queued, in nanoseconds. */
	public long waited() {
		return this.waited;
	}

}
