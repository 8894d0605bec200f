/** Tests of the health indicator and the endpoint in Actuator. */
@NullMarked
package io.github.ratelimit.spring.actuate;

import org.jspecify.annotations.NullMarked;
