package io.github.ratelimit.faults;

/**
 * A call of the chaos as its client saw it. It was decided between its begin and its end.
 *
 * @param instance the number of the instance
 * @param policy the policy
 * @param key the key
 * @param status the status of the response
 * @param permits the permits of the limit that decided, by the response; 0 for none
 * @param begin the time before it was sent, by nanoTime
 * @param end the time at which its response had arrived
 */
record ChaosCall(int instance, String policy, String key, int status, long permits, long begin, long end) {

	/** Returns the outcome of the policy that this response stands for. */
	String outcome() {
		return switch (this.status) {
			case 200 -> isLocal() ? "fallback_allowed" : (this.permits > 0) ? "allowed" : "failed_open";
			case 429 -> isLocal() ? "fallback_denied" : "denied";
			case 403 -> "banned";
			case 503 -> "failed_closed";
			default -> throw new AssertionError("The status of no documented response: " + this);
		};
	}

	/** Returns whether this instance decided by its share, which is half of a limit. */
	boolean isLocal() {
		return this.permits == 5 || this.permits == 8;
	}

	/**
	 * Returns the count that admitted this call: that of the server or of an instance.
	 */
	String count() {
		return this.policy + ' ' + this.key + (isLocal() ? " of instance " + this.instance : "");
	}

}
