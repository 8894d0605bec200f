package io.github.ratelimit.spring.method;

/**
 * The parts of a call that its charge depends on, from the fewest to the most.
 */
enum ChargeInputs {

	/** No part: all calls have the same charge. */
	NOTHING,

	/** The caller. */
	CALLER,

	/** The caller and the arguments. */
	ARGUMENTS

}
