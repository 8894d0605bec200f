/**
 * The ways in which a limited call can end, on each server.
 */
@NullMarked
package io.github.ratelimit.spring.web.ended;

import org.jspecify.annotations.NullMarked;
