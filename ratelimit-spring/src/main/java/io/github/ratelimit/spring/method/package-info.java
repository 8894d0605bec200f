/**
 * Limits of the methods of beans. Only this package reads {@code @RateLimited}. It
 * decides before a method is called, or before its reactive result is subscribed to.
 */
@NullMarked
package io.github.ratelimit.spring.method;

import org.jspecify.annotations.NullMarked;
