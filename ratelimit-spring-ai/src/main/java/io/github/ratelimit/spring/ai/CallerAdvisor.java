package io.github.ratelimit.spring.ai;

import io.github.ratelimit.spring.key.Callers;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;

/**
 * The advisor that resolves the caller of a request, before memory and tools.
 */
final class CallerAdvisor implements CallAdvisor, StreamAdvisor {

	/** Before all advisors of Spring AI. */
	private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final ChatCharges charges;

	private final Callers callers;

	CallerAdvisor(ChatCharges charges, Callers callers) {
		this.charges = charges;
		this.callers = callers;
	}

	@Override
	public String getName() {
		return "Rate Limit Caller";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		return chain.nextCall(this.charges.resolve(request, this.callers.ofThread()));
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return this.callers.ofSubscriber()
			.map((caller) -> this.charges.resolve(request, caller))
			.flatMapMany(chain::nextStream);
	}

}
