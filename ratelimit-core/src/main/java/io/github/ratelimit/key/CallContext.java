package io.github.ratelimit.key;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The information about a call that a {@link KeyResolver} may use.
 *
 * @param caller the sender of the request that the call serves
 * @param arguments the arguments of the limited method by parameter name
 */
public record CallContext(Caller caller, Map<String, @Nullable Object> arguments) {
}
