package io.github.ratelimit.store;

/** A test whose subclass counts elsewhere than in memory. */
public interface CountsElsewhere {

	/** Creates a store whose counts no other has. */
	RateLimitStore elsewhere();

}
