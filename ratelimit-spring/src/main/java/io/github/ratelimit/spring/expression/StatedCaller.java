package io.github.ratelimit.spring.expression;

import io.github.ratelimit.key.Caller;

/**
 * The caller of a call that an operator describes but nobody makes. An expression without
 * a value for this caller logs no warning, so that the only warning is left for real
 * calls.
 */
public interface StatedCaller extends Caller {

}
