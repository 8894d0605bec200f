/**
 * The configuration that changes while the application runs: on an
 * {@code EnvironmentChangeEvent} of Spring Cloud, or when a configuration file or what a
 * policy source returns changes. A configuration is read and checked as a whole before
 * any part of it takes effect. Its public types are for the auto-configuration.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.reload;

import org.jspecify.annotations.NullMarked;
