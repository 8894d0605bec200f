/**
 * Back-pressure for RabbitMQ listeners. A message that a policy denies is held by its
 * consumer until it may be processed.
 */
@NullMarked
package io.github.ratelimit.spring.amqp;

import org.jspecify.annotations.NullMarked;
