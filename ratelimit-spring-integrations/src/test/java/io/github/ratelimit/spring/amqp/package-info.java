/**
 * Tests of back-pressure for RabbitMQ listeners, with a broker.
 */
@NullMarked
package io.github.ratelimit.spring.amqp;

import org.jspecify.annotations.NullMarked;
