package io.github.ratelimit.pairs;

/** The requests of a row. */
enum Request {

	FINE("alice", "1", 200), FAILING("alice", "1", 409), UNBINDABLE("alice", "x", 400),
	OF_BLOCKED_CALLER("mallory", "1", 200);

	private final String caller;

	private final String uri;

	private final int status;

	Request(String caller, String number, int status) {
		this.caller = caller;
		this.uri = "/row?who=" + caller + "&n=" + number + "&fails=" + (status == 409);
		this.status = status;
	}

	String caller() {
		return this.caller;
	}

	/** Returns the status of the response if nothing rejects the request. */
	int status() {
		return this.status;
	}

	String uri() {
		return this.uri;
	}

}
