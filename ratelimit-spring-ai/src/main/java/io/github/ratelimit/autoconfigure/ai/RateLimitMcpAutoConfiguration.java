package io.github.ratelimit.autoconfigure.ai;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.reload.ConditionalOnReload;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.autoconfigure.reload.ReloadableSection;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.mcp.RateLimitedTools;
import io.github.ratelimit.spring.mcp.RateLimitedToolsPostProcessor;
import io.github.ratelimit.spring.mcp.ToolCalls;
import io.github.ratelimit.spring.mcp.ToolPolicies;
import io.modelcontextprotocol.server.McpServerFeatures;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of the tools of MCP servers.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnClass(McpServerFeatures.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(McpProperties.class)
public final class RateLimitMcpAutoConfiguration {

	@Bean("io.github.ratelimit.limitedToolsPostProcessor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedToolsPostProcessor rateLimitedToolsPostProcessor(ObjectProvider<RateLimitedTools> tools,
			ObjectProvider<ToolCalls> calls) {
		return new RateLimitedToolsPostProcessor(tools::getObject, calls::getObject);
	}

	@Bean("io.github.ratelimit.toolCalls")
	static ToolCalls rateLimitToolCalls() {
		return new ToolCalls();
	}

	@Bean("io.github.ratelimit.toolPolicies")
	ToolPolicies rateLimitToolPolicies(McpProperties properties, Policies policies, KeyResolvers keys) {
		return properties.checked((names) -> new ToolPolicies(names, policies, keys));
	}

	@Bean("io.github.ratelimit.mcpReload")
	@ConditionalOnReload
	Reloadable rateLimitMcpReload(ToolPolicies charged) {
		return new ReloadableSection(McpPropertyGroup.NAME,
				(properties, policies) -> properties.group(McpPropertyGroup.NAME, McpProperties.class)
					.checked((names) -> charged.prepare(names, policies)));
	}

	@Bean("io.github.ratelimit.limitedTools")
	RateLimitedTools rateLimitedTools(RateLimiter limiter, ToolPolicies policies, ToolCalls calls,
			ObjectProvider<CallerSource> threads, ObjectProvider<ReactiveCallerSource> subscribers) {
		CallerSource requests = CallerSource
			.firstOf(threads.orderedStream().filter((source) -> !(source instanceof ToolCalls)).toList());
		return new RateLimitedTools(limiter, policies, calls, new Callers(requests, subscribers.getIfAvailable()));
	}

	@Bean("io.github.ratelimit.mcpPolicies")
	PolicyUse rateLimitMcpPolicies(ToolPolicies policies) {
		return PolicyUse.of(McpProperties.POLICIES, policies::names);
	}

}
