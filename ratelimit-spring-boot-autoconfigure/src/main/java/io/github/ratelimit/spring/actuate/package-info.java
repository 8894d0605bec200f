/** The health indicator and the endpoint of the limiter in Actuator. */
@NullMarked
package io.github.ratelimit.spring.actuate;

import org.jspecify.annotations.NullMarked;
