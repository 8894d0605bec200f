package io.github.ratelimit.gateway;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a filter {@code RateLimit}, as a route states them.
 *
 * @param policies the names of the policies to charge; {@code null} if they are missing
 * @param cost the permits that a request costs or reserves; {@code null} for 1
 * @param actual the permits that it turned out to cost; {@code null} for the cost
 * @param chargeWhen the condition of requests that pay; {@code null} for all
 * @param refundWhen the condition of requests that pay nothing; {@code null} for none
 */
public record RateLimitArguments(@Nullable PolicyArgument policies, @Nullable Long cost, @Nullable String actual,
		@Nullable String chargeWhen, @Nullable String refundWhen) {

	private static final String POLICIES = "policies";

	private static final String COST = "cost";

	private static final String ACTUAL = "actual";

	private static final String CHARGE_WHEN = "charge-when";

	private static final String REFUND_WHEN = "refund-when";

	private static final Set<String> NAMES = Set.of(POLICIES, COST, ACTUAL, CHARGE_WHEN, REFUND_WHEN);

	/** The beginning of the names that the gateway gives to the values of a shortcut. */
	private static final String GENERATED = "_genkey_";

	/**
	 * Returns the arguments in a filter's properties.
	 * @param properties the properties as the gateway keeps them
	 * @return the arguments
	 * @throws IllegalArgumentException if there is no such argument, or the cost is no
	 * whole number
	 */
	public static RateLimitArguments of(Map<String, String> properties) {
		requireKnown(properties);
		PolicyArgument policies = new PolicyArgument(properties.getOrDefault(POLICIES, ""));
		properties.forEach((name, value) -> {
			if (name.startsWith(POLICIES + '.')) {
				policies.put(name.substring(POLICIES.length() + 1), value);
			}
			else if (name.startsWith(GENERATED)) {
				policies.put(name.substring(GENERATED.length()), value);
			}
		});
		return new RateLimitArguments(policies, cost(properties.get(COST)), properties.get(ACTUAL),
				properties.get(CHARGE_WHEN), properties.get(REFUND_WHEN));
	}

	/**
	 * Checks the names of arguments.
	 * @param properties the properties of a filter as the gateway keeps them
	 * @throws IllegalArgumentException if there is no such argument
	 */
	public static void requireKnown(Map<String, String> properties) {
		for (String name : properties.keySet()) {
			if (!NAMES.contains(name) && !name.startsWith(POLICIES + '.') && !name.startsWith(GENERATED)) {
				throw new IllegalArgumentException(
						"there is no argument '" + name + "'; there are " + NAMES.stream().sorted().toList());
			}
		}
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
				(this.cost != null) ? this.cost : 1,
				new RouteOutcome(Objects.requireNonNullElse(this.actual, ""),
						Objects.requireNonNullElse(this.chargeWhen, ""),
						Objects.requireNonNullElse(this.refundWhen, "")));
	}

}
