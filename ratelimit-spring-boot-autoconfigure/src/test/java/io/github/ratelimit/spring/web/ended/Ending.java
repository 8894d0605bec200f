package io.github.ratelimit.spring.web.ended;

/**
 * How a call ends.
 */
enum Ending {

	/** The call returns its result. */
	COMPLETES,

	/** The method throws an exception. */
	THROWS,

	/** The result fails after the method has returned. */
	FAILS,

	/** The result fails after a part of the response was sent. */
	BREAKS,

	/** The call takes longer than it may. */
	TIMES_OUT,

	/** The client resets the connection. */
	CLIENT_LEAVES

}
