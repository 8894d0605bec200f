/**
 * Auto-configurations that wire the limiter into a Spring Boot application, depending on
 * its class path and configuration. This package only wires.
 */
@NullMarked
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
