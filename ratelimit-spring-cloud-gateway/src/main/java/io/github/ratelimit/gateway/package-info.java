/**
 * Rate limits by route in Spring Cloud Gateway: what its two flavours share.
 */
@NullMarked
package io.github.ratelimit.gateway;

import org.jspecify.annotations.NullMarked;
