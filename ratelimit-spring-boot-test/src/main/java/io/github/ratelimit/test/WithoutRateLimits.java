package io.github.ratelimit.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An annotation that turns all limits off, for a test class or for a test method of a
 * class with {@link AutoConfigureRateLimits}. Nothing is counted and no headers are sent.
 * Callers that a policy blocks, and calls without a required key, are still rejected.
 *
 * <p>
 * On a class, it includes {@link AutoConfigureRateLimits}, so that classes with either
 * share an application context. A nested class inherits it, unless it has
 * {@link AutoConfigureRateLimits} itself.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@AutoConfigureRateLimits
public @interface WithoutRateLimits {

}
