package io.github.ratelimit.spring.expression;

import io.github.ratelimit.key.Caller;

/**
 * The caller of a call in a dry run. Expressions that have no value for this caller log
 * no warning. Each expression warns only once, so the warning is left for a real call.
 */
public interface StatedCaller extends Caller {

}
