package io.github.ratelimit.autoconfigure.ai;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;

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

	/** Returns what is read from these properties. */
	<T> T checked(Function<List<String>, T> read) {
		return PropertyCheck.checked(POLICIES, this.policies, () -> read.apply(this.policies));
	}

}
