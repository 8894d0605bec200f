package io.github.ratelimit.spring.event;

/**
 * The level of log lines about denials.
 */
public enum DenialLogLevel {

	/** No log lines. */
	OFF,

	/** Lines for whoever looks for them. */
	DEBUG,

	/** Lines in the usual log. */
	INFO

}
