package io.github.ratelimit.autoconfigure.ai;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for MCP servers.
 */
final class McpPropertyGroup implements PropertyGroup {

	static final String NAME = "mcp";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Class<?> type() {
		return McpProperties.class;
	}

	@Override
	public Library library() {
		return new Library("the MCP server of Spring AI", "spring-ai-starter-mcp-server-webmvc",
				List.of("io.modelcontextprotocol.server.McpServerFeatures"));
	}

}
