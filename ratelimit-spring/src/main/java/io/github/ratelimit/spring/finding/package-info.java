/**
 * Likely mistakes in the use of rate limits, which the starter finds at the start and
 * while the application runs: what they are, and where they are kept and logged.
 * <p>
 * Its tests need an application: they are in {@code autoconfigure.check} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.finding;

import org.jspecify.annotations.NullMarked;
