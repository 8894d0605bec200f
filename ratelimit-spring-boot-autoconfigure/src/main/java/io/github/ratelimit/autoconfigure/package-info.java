/**
 * Wires the limiter into a Spring Boot application by what is on its class path and in
 * its configuration. Nothing here decides anything.
 */
@NullMarked
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
