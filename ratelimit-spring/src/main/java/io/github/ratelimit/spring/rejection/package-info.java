/**
 * The rejections of calls. One table says which exceptions reject a call, what its client
 * is told, and when it may try again; each protocol adds its own code.
 * <p>
 * Its tests need an application: they are in {@code spring.web} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.rejection;

import org.jspecify.annotations.NullMarked;
