/**
 * Wiring of the limits in Spring GraphQL, STOMP, gRPC, Kafka, RabbitMQ and OpenAPI.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.integration;

import org.jspecify.annotations.NullMarked;
