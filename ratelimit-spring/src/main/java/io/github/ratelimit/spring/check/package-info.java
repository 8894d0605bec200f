/**
 * Checks of an application that has started, which find likely mistakes in its use of
 * rate limits. Only the wiring uses them.
 * <p>
 * Its tests need an application: they are in {@code autoconfigure.check} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.check;

import org.jspecify.annotations.NullMarked;
