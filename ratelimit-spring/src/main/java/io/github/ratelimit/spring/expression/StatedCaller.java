package io.github.ratelimit.spring.expression;

import io.github.ratelimit.key.Caller;

/**
 * A caller whose call an operator states and nobody makes. That an expression has no
 * value for it is not logged, which leaves the log to calls.
 */
public interface StatedCaller extends Caller {

}
