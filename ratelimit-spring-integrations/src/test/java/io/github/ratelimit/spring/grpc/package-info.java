/**
 * Tests of the limits of gRPC calls.
 */
@NullMarked
package io.github.ratelimit.spring.grpc;

import org.jspecify.annotations.NullMarked;
