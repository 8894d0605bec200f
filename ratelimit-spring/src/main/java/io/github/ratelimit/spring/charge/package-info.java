/**
 * The charges of calls and requests: what is decided together, and what adjusts it when
 * the call or the request has ended. Public for the rooms that limit methods and requests
 * alone.
 */
@NullMarked
package io.github.ratelimit.spring.charge;

import org.jspecify.annotations.NullMarked;
