package io.github.ratelimit.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Tools that are called without a server. */
class RateLimitedToolsTests {

	private static final CallToolResult DONE = CallToolResult.builder().addTextContent("done").build();

	private static final CallToolRequest REQUEST = CallToolRequest.builder("search").arguments(Map.of()).build();

	private final TestStore store = new TestStore();

	private final Policies policies = new Policies(List.of());

	private final ToolCalls calls = new ToolCalls();

	private Caller sender = Caller.NONE;

	@Test
	void holdsPermitsUntilTheToolHasItsResult() {
		with("busy", "1 concurrent", PolicyOptions.STANDARD);
		assertThat(text(blocking((context, request) -> {
			assertThat(left("busy")).isZero();
			return DONE;
		}, "busy"))).isEqualTo("done");
		assertThat(left("busy")).isOne();
		assertThat(text(reactive((context, request) -> Mono.fromSupplier(() -> {
			assertThat(left("busy")).isZero();
			return DONE;
		}), "busy").block())).isEqualTo("done");
		assertThat(left("busy")).isOne();
	}

	@Test
	void releasesPermitsOfToolsThatFail() {
		with("busy", "1 concurrent", PolicyOptions.STANDARD);
		assertThatIllegalStateException().isThrownBy(() -> blocking((context, request) -> {
			throw new IllegalStateException("out of order");
		}, "busy")).withMessage("out of order");
		assertThatIllegalStateException()
			.isThrownBy(
					() -> reactive((context, request) -> Mono.error(new IllegalStateException("out of order")), "busy")
						.block())
			.withMessage("out of order");
		assertThat(left("busy")).isOne();
	}

	@Test
	void releasesPermitsOfCallsThatAreCancelled() {
		with("busy", "1 concurrent", PolicyOptions.STANDARD);
		Disposable call = reactive((context, request) -> Mono.never(), "busy").subscribe();
		assertThat(left("busy")).isZero();
		call.dispose();
		assertThat(left("busy")).isOne();
	}

	@Test
	void blocksNoThreadThatMustNotBlock() {
		with("all", "1/1h", PolicyOptions.STANDARD);
		Mono<CallToolResult> call = reactive((context, request) -> Mono.just(DONE), "all")
			.subscribeOn(Schedulers.parallel());
		assertThat(text(call.block())).isEqualTo("done");
		assertThat(text(call.block())).startsWith("Quota exceeded. ");
	}

	@Test
	void cancelsNoToolThatHasItsResult() {
		AtomicBoolean cancelled = new AtomicBoolean();
		Mono<CallToolResult> tool = Mono.<CallToolResult>create((sink) -> sink.success(DONE))
			.doOnCancel(() -> cancelled.set(true));
		assertThat(text(reactive((context, request) -> tool).block())).isEqualTo("done");
		assertThat(cancelled).isFalse();
	}

	@Test
	void chargesNothingBeforeASubscription() {
		with("all", "1/1h", PolicyOptions.STANDARD);
		reactive((context, request) -> Mono.just(DONE), "all");
		assertThat(left("all")).isOne();
	}

	@Test
	void saysNothingOfAFailingStore() {
		with("strict", "1/1h", PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100));
		this.store.fail((request) -> true);
		CallToolResult result = blocking((context, request) -> DONE, "strict");
		assertThat(text(result)).isEqualTo("Temporarily reduced capacity. Try again in 1 second.");
		assertThat(result.structuredContent())
			.isEqualTo(Map.of("title", "Temporarily reduced capacity", "retryAfter", 1L));
	}

	@Test
	void namesNoKeyAndNoTimeIfCallersAreRefused() {
		with("known", "1/1h", PolicyOptions.STANDARD.withMissingKey(OnMissingKey.DENY), "header:x-api-key");
		CallToolResult result = blocking((context, request) -> DONE, "known");
		assertThat(result.isError()).isTrue();
		assertThat(text(result)).isEqualTo("Caller not identified.");
		assertThat(result.structuredContent())
			.isEqualTo(Map.of("title", "Caller not identified", "violatedPolicies", List.of("known")));
	}

	@Test
	void neverContainsTheKeyOfACaller() {
		this.sender = new Caller() {

			@Override
			public List<String> headers(String name) {
				return List.of("secret-4711");
			}

		};
		with("keys", "1/1h", PolicyOptions.STANDARD, "header:x-api-key");
		blocking((context, request) -> DONE, "keys");
		CallToolResult denial = blocking((context, request) -> DONE, "keys");
		assertThat(text(denial)).startsWith("Quota exceeded");
		assertThat(denial.toString()).doesNotContain("4711");
	}

	@Test
	void bindsTheCallerWhileTheToolRuns() {
		this.sender = new Caller() {

			@Override
			public String remoteAddress() {
				return "192.0.2.1";
			}

		};
		AtomicReference<Caller> seen = new AtomicReference<>();
		blocking((context, request) -> {
			seen.set(this.calls.current());
			return DONE;
		});
		assertThat(seen.get().remoteAddress()).isEqualTo("192.0.2.1");
		assertThat(this.calls.current()).isSameAs(Caller.NONE);
	}

	@Test
	void restoresTheOuterCallOfAToolThatCallsAnother() {
		AtomicReference<Caller> after = new AtomicReference<>();
		blocking((context, request) -> {
			Caller outer = this.calls.current();
			blocking((inner, nested) -> DONE);
			after.set(this.calls.current());
			assertThat(after.get()).isSameAs(outer).isNotSameAs(Caller.NONE);
			return DONE;
		});
		assertThat(after.get()).isNotNull();
	}

	@Test
	void usesTheToolAsRoute() {
		with("routes", "1/1h", PolicyOptions.STANDARD, "route");
		blocking((context, request) -> DONE, "routes");
		assertThat(left("routes", "route:tools/call search")).isZero();
	}

	@Test
	void countsEachSession() {
		with("sessions", "1/1h", PolicyOptions.STANDARD, "session");
		McpServerFeatures.SyncToolSpecification tool = tools("sessions")
			.limit(new McpServerFeatures.SyncToolSpecification(tool(), (exchange, request) -> DONE));
		for (String session : List.of("one", "two")) {
			McpSyncServerExchange exchange = new McpSyncServerExchange(
					new McpAsyncServerExchange(session, null, null, null, McpTransportContext.EMPTY));
			assertThat(text(tool.callHandler().apply(exchange, REQUEST))).isEqualTo("done");
			assertThat(text(tool.callHandler().apply(exchange, REQUEST))).startsWith("Quota exceeded");
		}
	}

	@Test
	void refusesPoliciesThatAreNotThere() {
		assertThatIllegalArgumentException().isThrownBy(() -> tools("cals"))
			.withMessageContaining("there is no policy named 'cals'");
	}

	private CallToolResult blocking(BiFunction<McpTransportContext, CallToolRequest, CallToolResult> handler,
			String... names) {
		return tools(names).limit(new McpStatelessServerFeatures.SyncToolSpecification(tool(), handler))
			.callHandler()
			.apply(McpTransportContext.EMPTY, REQUEST);
	}

	private Mono<CallToolResult> reactive(
			BiFunction<McpTransportContext, CallToolRequest, Mono<CallToolResult>> handler, String... names) {
		return tools(names).limit(new McpStatelessServerFeatures.AsyncToolSpecification(tool(), handler))
			.callHandler()
			.apply(McpTransportContext.EMPTY, REQUEST);
	}

	private RateLimitedTools tools(String... names) {
		KeyResolvers keys = new KeyResolvers(
				() -> new ClientIp(List.of(), 64), new CallerBeans((name) -> (call) -> null,
						(name) -> (policy, key, call) -> null, (name) -> (policy, key, call) -> null),
				List.of(), () -> new RateLimitListener() {
				}, new Findings(List.of()));
		return new RateLimitedTools(limiter(), new ToolPolicies(List.of(names), this.policies, keys), this.calls,
				new Callers(() -> this.sender, null));
	}

	private RateLimiter limiter() {
		RateLimitStore store = this.store;
		return new RateLimiter(this.policies, store, List.of());
	}

	private void with(String policy, String limit, PolicyOptions options, String... keys) {
		this.policies.add(new Policy(policy, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)),
				(keys.length > 0) ? List.of(keys) : List.of(Policy.EVERYONE))
			.withOptions(options));
	}

	private long left(String policy) {
		return left(policy, Policy.EVERYONE);
	}

	private long left(String policy, String key) {
		return limiter().peek(List.of(new Charge(policy, key, 0)))
			.limits()
			.stream()
			.mapToLong(LimitDecision::remaining)
			.min()
			.orElseThrow();
	}

	private static Tool tool() {
		return Tool.builder("search", Map.of("type", "object")).build();
	}

	private static String text(@Nullable CallToolResult result) {
		return McpApplication.text(Objects.requireNonNull(result));
	}

}
