package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

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

}
