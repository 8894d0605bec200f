package io.github.ratelimit.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.charge.DoorContract;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls of a tool of an asynchronous server. */
class ToolDoorTests extends DoorContract {

	/** A call that is cancelled before it has its thread does nothing. */
	@Override
	protected int latestMicros() {
		return 200;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		KeyResolvers keys = new KeyResolvers(
				() -> new ClientIp(List.of(), 64), new CallerBeans((name) -> (call) -> null,
						(name) -> (policy, key, call) -> null, (name) -> (policy, key, call) -> null),
				List.of(), () -> new RateLimitListener() {
				}, new Findings(List.of()));
		RateLimitedTools tools = new RateLimitedTools(limiter,
				new ToolPolicies(List.of(HELD, SPENT), this.policies, keys), new ToolCalls(),
				new Callers(() -> Caller.NONE, null));
		AsyncToolSpecification tool = tools.limit(new AsyncToolSpecification(
				Tool.builder("search", Map.of("type", "object")).build(),
				(context, request) -> work.get().map((text) -> CallToolResult.builder().addTextContent(text).build())));
		return tool.callHandler()
			.apply(McpTransportContext.EMPTY, CallToolRequest.builder("search").arguments(Map.of()).build())
			.subscribeOn(Schedulers.parallel());
	}

}
