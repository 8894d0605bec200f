/**
 * Finds a call's key in Spring: the caller of a servlet or reactive request, expressions
 * over a method's arguments, and the resolvers that configuration names.
 */
@NullMarked
package io.github.ratelimit.spring.key;

import org.jspecify.annotations.NullMarked;
