/**
 * Expressions about calls: the variables that each place may use, exact arithmetic for
 * costs, and the views of a request, a user and a response that expressions read.
 */
@NullMarked
package io.github.ratelimit.spring.expression;

import org.jspecify.annotations.NullMarked;
