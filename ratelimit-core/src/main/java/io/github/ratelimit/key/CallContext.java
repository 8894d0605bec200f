package io.github.ratelimit.key;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link KeyResolver} may look at.
 *
 * @param caller who sent the request that the call serves
 * @param arguments the arguments of the limited method by parameter name
 */
public record CallContext(Caller caller, Map<String, @Nullable Object> arguments) {
}
