/**
 * The limits of a caller and what is left of them, for the caller: nothing is charged.
 * <p>
 * Its tests need an application: they are in {@code spring.web} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.usage;

import org.jspecify.annotations.NullMarked;
