package io.github.ratelimit.policy;

/**
 * The effect of limits on calls.
 */
public enum EnforcementMode {

	/** Limits are charged, and deny calls that do not fit. */
	ENFORCE,

	/** Limits are charged for calls that fit and are admitted, and deny nothing. */
	SHADOW,

	/** Limits are ignored. */
	OFF

}
