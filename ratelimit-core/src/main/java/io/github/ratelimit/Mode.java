package io.github.ratelimit;

/**
 * What limits do to the calls that they are asked about.
 */
public enum Mode {

	/** They are charged, and deny calls that do not fit. */
	ENFORCE,

	/** They are charged by what fits and is admitted, and deny nothing. */
	SHADOW,

	/** They are not asked. */
	OFF

}
