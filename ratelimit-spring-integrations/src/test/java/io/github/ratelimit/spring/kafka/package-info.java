/**
 * Tests of back-pressure for Kafka listeners, with a broker.
 */
@NullMarked
package io.github.ratelimit.spring.kafka;

import org.jspecify.annotations.NullMarked;
