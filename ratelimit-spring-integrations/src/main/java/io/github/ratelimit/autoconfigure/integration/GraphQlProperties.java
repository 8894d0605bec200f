package io.github.ratelimit.autoconfigure.integration;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.policy.Policies;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code ratelimit.graphql.*} properties.
 *
 * @param policies Policies that every operation charges.
 * @param cost Permits that an operation costs, a number or an expression such as
 * #operation.complexity.
 */
@ConfigurationProperties("ratelimit.graphql")
record GraphQlProperties(@DefaultValue List<String> policies, @DefaultValue("1") String cost) {

	static final String POLICIES = "ratelimit.graphql.policies";

	/**
	 * Returns what is read from these properties once the policies are known to exist.
	 */
	<T> T checked(Policies policies, Supplier<T> read) {
		PropertyCheck.checked(POLICIES, this.policies, () -> this.policies.stream().map(policies::get).toList());
		return PropertyCheck.checked("ratelimit.graphql.cost", this.cost, read);
	}

}
