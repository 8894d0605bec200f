package io.github.ratelimit.spring.mcp;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A factory of tools whose calls charge policies, for all kinds of MCP servers.
 * Thread-safe.
 *
 * <p>
 * A rejected call does not reach the tool. Its result reports an error, with the seconds
 * after which it is worth another try. So does the result of a tool whose own method is
 * rejected. Permits of limits on concurrency are held until the tool has its result.
 */
public final class RateLimitedTools {

	private final Gate gate;

	private final ReactiveGate reactiveGate;

	private final ToolPolicies policies;

	private final ToolCalls calls;

	private final Callers callers;

	/**
	 * Creates a factory.
	 * @param limiter decides
	 * @param policies the policies that every call charges
	 * @param calls the calls that threads run
	 * @param callers the senders of the messages that call tools
	 */
	public RateLimitedTools(RateLimiter limiter, ToolPolicies policies, ToolCalls calls, Callers callers) {
		this.gate = new Gate(limiter);
		this.reactiveGate = new ReactiveGate(this.gate, (task) -> Schedulers.boundedElastic().schedule(task))
			.blockingWherePossible();
		this.policies = policies;
		this.calls = calls;
		this.callers = callers;
	}

	/**
	 * Returns a limited tool of a synchronous server.
	 * @param tool the tool
	 * @return a tool that calls it
	 */
	public McpServerFeatures.SyncToolSpecification limit(McpServerFeatures.SyncToolSpecification tool) {
		return new McpServerFeatures.SyncToolSpecification(tool.tool(),
				blocking(tool.tool().name(), tool.callHandler(), McpSyncServerExchange::sessionId));
	}

	/**
	 * Returns a limited tool of an asynchronous server.
	 * @param tool the tool
	 * @return a tool that calls it
	 */
	public McpServerFeatures.AsyncToolSpecification limit(McpServerFeatures.AsyncToolSpecification tool) {
		return new McpServerFeatures.AsyncToolSpecification(tool.tool(),
				reactive(tool.tool().name(), tool.callHandler(), McpAsyncServerExchange::sessionId));
	}

	/**
	 * Returns a limited tool of a synchronous server without sessions.
	 * @param tool the tool
	 * @return a tool that calls it
	 */
	public McpStatelessServerFeatures.SyncToolSpecification limit(
			McpStatelessServerFeatures.SyncToolSpecification tool) {
		return new McpStatelessServerFeatures.SyncToolSpecification(tool.tool(),
				blocking(tool.tool().name(), tool.callHandler(), RateLimitedTools::noSession));
	}

	/**
	 * Returns a limited tool of an asynchronous server without sessions.
	 * @param tool the tool
	 * @return a tool that calls it
	 */
	public McpStatelessServerFeatures.AsyncToolSpecification limit(
			McpStatelessServerFeatures.AsyncToolSpecification tool) {
		return new McpStatelessServerFeatures.AsyncToolSpecification(tool.tool(),
				reactive(tool.tool().name(), tool.callHandler(), RateLimitedTools::noSession));
	}

	private static @Nullable String noSession(McpTransportContext context) {
		return null;
	}

	private <E> BiFunction<E, CallToolRequest, CallToolResult> blocking(String tool,
			BiFunction<E, CallToolRequest, CallToolResult> handler, Function<E, @Nullable String> session) {
		return (exchange, request) -> {
			Caller caller = new ToolCaller(this.callers.ofThread(), session.apply(exchange));
			try {
				return call(tool, caller, () -> handler.apply(exchange, request));
			}
			catch (RuntimeException ex) {
				CallToolResult rejection = ToolRejections.find(ex);
				if (rejection == null) {
					throw ex;
				}
				return rejection;
			}
		};
	}

	private CallToolResult call(String tool, Caller caller, Supplier<CallToolResult> handler) {
		Admission admission = this.gate.enter(charges(tool, caller), RequestCharges.NONE, null);
		try {
			return run(new ToolCall(caller), handler);
		}
		finally {
			admission.callEnded(null, null);
		}
	}

	private CallCharges charges(String tool, Caller caller) {
		return CallCharges.of(this.policies.charges(tool, caller));
	}

	private CallToolResult run(ToolCall call, Supplier<CallToolResult> handler) {
		return explained(this.calls.run(call, handler), call);
	}

	private <E> BiFunction<E, CallToolRequest, Mono<CallToolResult>> reactive(String tool,
			BiFunction<E, CallToolRequest, Mono<CallToolResult>> handler, Function<E, @Nullable String> session) {
		return (exchange, request) -> this.callers.ofSubscriber()
			.map((sender) -> new ToolCaller(sender, session.apply(exchange)))
			.flatMap((caller) -> callAsync(tool, caller, () -> handler.apply(exchange, request)))
			.onErrorResume((failure) -> {
				CallToolResult rejection = ToolRejections.find(failure);
				return (rejection != null) ? Mono.just(rejection) : Mono.error(failure);
			});
	}

	private Mono<CallToolResult> callAsync(String tool, Caller caller, Supplier<Mono<CallToolResult>> handler) {
		return this.reactiveGate
			.pass(charges(tool, caller), RequestCharges.NONE, null, () -> runAsync(new ToolCall(caller), handler))
			.singleOrEmpty();
	}

	/**
	 * Calls a tool on the thread that subscribes. It is not cancelled once it has its
	 * result, as that would interrupt the thread that writes the response.
	 */
	private Mono<CallToolResult> runAsync(ToolCall call, Supplier<Mono<CallToolResult>> handler) {
		Publisher<CallToolResult> result = (subscriber) -> this.calls.run(call, () -> {
			Mono.defer(handler).subscribe(subscriber);
			return call;
		});
		return Mono.fromDirect(result)
			.map((value) -> explained(value, call))
			.contextWrite((context) -> ReactiveCallerSource.bind(context, call.caller()));
	}

	/**
	 * Replaces the text that Spring AI made of the rejection of the tool's own method.
	 */
	private static CallToolResult explained(CallToolResult result, ToolCall call) {
		if (!Boolean.TRUE.equals(result.isError())) {
			return result;
		}
		CallToolResult rejection = ToolRejections.find(call.failure());
		return (rejection != null) ? rejection : result;
	}

}
