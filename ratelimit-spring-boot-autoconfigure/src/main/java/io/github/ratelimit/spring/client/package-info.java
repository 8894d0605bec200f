/**
 * Calls that the application makes: kept under a policy, and held back for as long as an
 * upstream asks.
 */
@NullMarked
package io.github.ratelimit.spring.client;

import org.jspecify.annotations.NullMarked;
