package io.github.ratelimit.sample.docs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.ratelimit.RateLimited;

/**
 * A limit under a name of the application's own.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@RateLimited(limit = "1/1m", key = "principal")
@interface OncePerMinute {

}
