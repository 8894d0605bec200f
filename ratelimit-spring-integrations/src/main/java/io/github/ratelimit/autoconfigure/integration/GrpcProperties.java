package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.spring.grpc.GrpcPolicies;
import io.github.ratelimit.spring.key.PolicyKeys;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code ratelimit.grpc.*} properties.
 *
 * @param policies Policies that every gRPC call charges, except calls of the health and
 * reflection services.
 */
@ConfigurationProperties(GrpcProperties.PREFIX)
record GrpcProperties(@DefaultValue List<String> policies) {

	static final String PREFIX = "ratelimit.grpc";

	/** Returns the policies to charge. */
	GrpcPolicies policies(PolicyKeys keys) {
		return PropertyCheck.checked(PREFIX + ".policies", this.policies, () -> new GrpcPolicies(this.policies, keys));
	}

}
