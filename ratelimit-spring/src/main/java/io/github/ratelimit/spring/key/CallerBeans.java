package io.github.ratelimit.spring.key;

import java.util.function.Function;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;

/**
 * The beans of the application that words of the form {@code bean:NAME} name.
 *
 * @param keys returns the key resolver bean of a name, or throws
 * @param plans returns the plan resolver bean of a name, or throws
 * @param permits returns the permits resolver bean of a name, or throws
 */
public record CallerBeans(Function<String, KeyResolver> keys, Function<String, PlanResolver> plans,
		Function<String, PermitsResolver> permits) {

}
