package io.github.ratelimit.autoconfigure.ai;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.mcp.ToolPolicies;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code ratelimit.mcp.*} properties.
 *
 * @param policies Policies that every call of a tool of the MCP server charges.
 */
@ConfigurationProperties(McpProperties.PREFIX)
record McpProperties(@DefaultValue List<String> policies) {

	static final String PREFIX = "ratelimit.mcp";

	static final String POLICIES = PREFIX + ".policies";

	/** Returns the policies to charge. */
	ToolPolicies policies(Policies policies, KeyResolvers keys) {
		return PropertyCheck.checked(POLICIES, this.policies, () -> new ToolPolicies(this.policies, policies, keys));
	}

}
