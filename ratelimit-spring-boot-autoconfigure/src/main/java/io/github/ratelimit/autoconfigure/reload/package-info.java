/**
 * The configuration that changes while the application runs: on an
 * {@code EnvironmentChangeEvent} of Spring Cloud, or when a configuration file changes. A
 * configuration is read and checked as a whole before any part of it takes effect.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.reload;

import org.jspecify.annotations.NullMarked;
