package io.github.ratelimit.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An annotation that limits the calls of a test class, as the application would: in a
 * slice such as {@code @WebMvcTest} or {@code @WebFluxTest}, in a {@code @SpringBootTest}
 * and in any other Spring test.
 *
 * <p>
 * Counts are in memory, and Redis is not used. The clock of the limits stands still
 * unless the test moves it with {@link TestRateLimits#advance}. Counts, controls of
 * operators and the clock start afresh before each test. Calls that have to wait for
 * their turn do not block: the clock moves on to their turn.
 *
 * <p>
 * Tests that run in parallel take turns if they share an application context, as they
 * would share its counts. Tests of different contexts do not wait for one another.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureRateLimits {

}
