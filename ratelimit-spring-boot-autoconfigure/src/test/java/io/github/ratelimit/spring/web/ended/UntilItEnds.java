package io.github.ratelimit.spring.web.ended;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.ratelimit.RateLimited;

/**
 * Limits calls to one at a time by their argument {@code id}, and charges those that fail
 * with a {@link Failure}. Both are decided when the method is called.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@RateLimited(policy = "held", key = "#id")
@RateLimited(policy = "failed", key = "#id", chargeOn = Failure.class)
@RateLimited(policy = "succeeded", key = "#id", refundOn = Failure.class)
@interface UntilItEnds {

}
