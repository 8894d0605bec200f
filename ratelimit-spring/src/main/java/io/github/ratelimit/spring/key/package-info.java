/**
 * Keys of calls in Spring: the callers of servlet and reactive requests, expressions over
 * the arguments of a method, and the resolvers that configuration names.
 */
@NullMarked
package io.github.ratelimit.spring.key;

import org.jspecify.annotations.NullMarked;
