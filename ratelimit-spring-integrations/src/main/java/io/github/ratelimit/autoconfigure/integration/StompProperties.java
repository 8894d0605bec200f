package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code ratelimit.stomp.*} properties.
 *
 * @param policies Policies that every message and subscription of a client charges.
 */
@ConfigurationProperties("ratelimit.stomp")
record StompProperties(@DefaultValue List<String> policies) {

	static final String POLICIES = "ratelimit.stomp.policies";

}
