/**
 * Auto-configurations that wire rate limits into Spring Cloud Gateway. This package only
 * wires.
 */
@NullMarked
package io.github.ratelimit.gateway.autoconfigure;

import org.jspecify.annotations.NullMarked;
