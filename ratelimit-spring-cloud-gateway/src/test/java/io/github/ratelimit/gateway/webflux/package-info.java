/**
 * Tests of gateways on WebFlux.
 */
@NullMarked
package io.github.ratelimit.gateway.webflux;

import org.jspecify.annotations.NullMarked;
