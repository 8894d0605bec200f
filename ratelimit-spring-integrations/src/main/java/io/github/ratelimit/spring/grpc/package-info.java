/**
 * Limits of gRPC calls. An interceptor of the server binds the caller of a call, so that
 * keys of policies and methods find it, and charges the policies that every call charges.
 * Denials are statuses with the details that gRPC has for them.
 */
@NullMarked
package io.github.ratelimit.spring.grpc;

import org.jspecify.annotations.NullMarked;
