package io.github.ratelimit.spring.method;

/**
 * What must be known of a call to tell what it is charged.
 */
enum Needs {

	/** All calls are charged the same. */
	NOTHING,

	/** Its caller. */
	CALLER,

	/** Its caller and its arguments. */
	ARGUMENTS

}
