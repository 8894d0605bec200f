package io.github.ratelimit.autoconfigure.integration;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;

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

	static final String POLICIES = PREFIX + ".policies";

	/** Returns what is read from these properties. */
	<T> T checked(Function<List<String>, T> read) {
		return PropertyCheck.checked(POLICIES, this.policies, () -> read.apply(this.policies));
	}

}
