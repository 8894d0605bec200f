package io.github.ratelimit.spring.ai;

import io.github.ratelimit.spring.key.Callers;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;

/**
 * The advisor that charges each call of a model, after all others: it sees the prompt as
 * the model does, and each call of a request whose tools the model calls.
 */
final class ModelCallAdvisor implements CallAdvisor, StreamAdvisor {

	/** After the advisors that repeat calls, and before the call itself. */
	private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private final ChatCharges charges;

	private final Callers callers;

	private final ChargedCalls calls;

	ModelCallAdvisor(ChatCharges charges, Callers callers, ChargedCalls calls) {
		this.charges = charges;
		this.callers = callers;
		this.calls = calls;
	}

	/** Returns the charges of calls, which may be replaced. */
	ChatCharges charges() {
		return this.charges;
	}

	@Override
	public String getName() {
		return "Rate Limit";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		return this.calls.call(call(request), () -> chain.nextCall(request), ModelCallAdvisor::usage);
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return Flux.defer(() -> this.calls.stream(call(request), chain.nextStream(request), ModelCallAdvisor::usage));
	}

	private ModelCall call(ChatClientRequest request) {
		return this.charges.call(request, this.callers::ofThread);
	}

	private static @Nullable TokenUsage usage(ChatClientResponse response) {
		return TokenUsage.find(response.chatResponse());
	}

}
