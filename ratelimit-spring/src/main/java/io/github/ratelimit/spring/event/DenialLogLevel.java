package io.github.ratelimit.spring.event;

/**
 * The level of log lines about denials, and about calls near their limit.
 */
public enum DenialLogLevel {

	/** No log lines. */
	OFF,

	/** Lines that appear if debug logging is on. */
	DEBUG,

	/** Lines that appear by default. */
	INFO

}
