/**
 * Limits of the methods of beans. Only this package reads {@code @RateLimited}. It
 * decides before a method is called, or before its reactive result is subscribed to.
 * <p>
 * Most of its tests need an application: they are in the package of the same name in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.method;

import org.jspecify.annotations.NullMarked;
