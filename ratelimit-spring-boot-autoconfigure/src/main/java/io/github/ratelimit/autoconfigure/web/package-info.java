/**
 * Auto-configurations for servlet and WebFlux applications.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
