/**
 * Rules, rejections and headers for WebFlux applications. Its public types are for the
 * auto-configuration.
 */
@NullMarked
package io.github.ratelimit.spring.web.reactive;

import org.jspecify.annotations.NullMarked;
