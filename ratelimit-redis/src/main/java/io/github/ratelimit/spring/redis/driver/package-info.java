/**
 * Script runs on Redis: connections, timeouts, the circuit breaker and checks of the
 * server. The public types are internal to {@code spring.redis}.
 */
@NullMarked
package io.github.ratelimit.spring.redis.driver;

import org.jspecify.annotations.NullMarked;
