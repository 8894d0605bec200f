/**
 * Limits the methods of beans: reads {@code @RateLimited}, the only place that does, and
 * decides before a method is called or what it returns is subscribed to.
 */
@NullMarked
package io.github.ratelimit.spring.method;

import org.jspecify.annotations.NullMarked;
