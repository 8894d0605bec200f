package io.github.ratelimit.gateway;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.spring.web.RouteLimit;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a filter {@code RateLimit}, as a route states them.
 *
 * @param policies the names of the policies to charge; {@code null} if they are missing
 * @param cost the permits that a request costs; {@code null} for 1
 */
public record RateLimitArguments(@Nullable PolicyNames policies, @Nullable Long cost) {

	private static final String POLICIES = "policies";

	private static final String COST = "cost";

	/** The beginning of the names that the gateway gives to the values of a shortcut. */
	private static final String GENERATED = "_genkey_";

	/**
	 * Returns the arguments in a filter's properties.
	 * @param properties the properties as the gateway keeps them
	 * @return the arguments
	 * @throws IllegalArgumentException if the cost is no whole number
	 */
	public static RateLimitArguments of(Map<String, String> properties) {
		PolicyNames policies = new PolicyNames(properties.getOrDefault(POLICIES, ""));
		properties.forEach((name, value) -> {
			if (name.startsWith(POLICIES + '.')) {
				policies.put(name.substring(POLICIES.length() + 1), value);
			}
			else if (name.startsWith(GENERATED)) {
				policies.put(name.substring(GENERATED.length()), value);
			}
		});
		return new RateLimitArguments(policies, cost(properties.get(COST)));
	}

	private static @Nullable Long cost(@Nullable String text) {
		try {
			return (text != null) ? Long.valueOf(text.trim()) : null;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'" + COST + "' must be a whole number, was '" + text + "'", ex);
		}
	}

	/**
	 * Returns the limit that the arguments state.
	 * @return the limit
	 * @throws IllegalArgumentException if policies are missing or the cost is negative
	 */
	public RouteLimit toLimit() {
		return new RouteLimit((this.policies != null) ? this.policies.toList() : List.of(),
				(this.cost != null) ? this.cost : 1);
	}

}
