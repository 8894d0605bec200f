package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.Caller;

import org.springframework.ai.chat.client.ChatClientRequest;

/**
 * The charges of calls under a set of policies. The caller is resolved once for each
 * request, before its first call of a model, as later calls may be on another thread.
 */
final class ChatCharges {

	private static final String CONTEXT = "ratelimit.charges.";

	private final List<ChargedPolicy> policies;

	private final PromptSize promptSize;

	private final TokenReserve reserve;

	/** The name in the context of requests, which other policies do not share. */
	private final String name;

	/**
	 * Creates the charges.
	 * @param policies the policies, at least one
	 * @param promptSize estimates prompts
	 * @param reserve the tokens to reserve
	 */
	ChatCharges(List<ChargedPolicy> policies, PromptSize promptSize, TokenReserve reserve) {
		this.policies = policies;
		this.promptSize = promptSize;
		this.reserve = reserve;
		this.name = CONTEXT + String.join(",", policies.stream().map(ChargedPolicy::name).toList());
	}

	/** Returns a request that carries the charges of its caller. */
	ChatClientRequest resolve(ChatClientRequest request, Caller caller) {
		return request.mutate().context(this.name, charges(request, caller)).build();
	}

	/**
	 * Returns a call of a model.
	 * @param request the request
	 * @param caller supplies the caller if another advisor dropped the charges
	 */
	ModelCall call(ChatClientRequest request, Supplier<Caller> caller) {
		ResolvedChat resolved = (request.context().get(this.name) instanceof ResolvedChat known) ? known
				: charges(request, caller.get());
		ModelOptions options = ModelOptions.of(request);
		TokenUsage most = most(request, options);
		List<Charge> charges = resolved.charges()
			.stream()
			.map((charge) -> ChargedPolicy.of(this.policies, charge).reserving(charge, options, most))
			.toList();
		return new ModelCall(this.policies, options, charges);
	}

	/** Returns the policy that stands for the provider. */
	ChargedPolicy first() {
		return this.policies.get(0);
	}

	private ResolvedChat charges(ChatClientRequest request, Caller caller) {
		String model = ModelOptions.of(request).model();
		return new ResolvedChat(
				this.policies.stream().flatMap((policy) -> Stream.ofNullable(policy.charge(caller, model))).toList());
	}

	/** Returns the most tokens of a call, if they matter. */
	private TokenUsage most(ChatClientRequest request, ModelOptions options) {
		if (this.reserve.kind() != TokenReserve.Kind.MAX_TOKENS) {
			return TokenUsage.NONE;
		}
		Long maximum = options.maxTokens();
		return new TokenUsage(this.promptSize.of(request), (maximum != null) ? maximum : this.reserve.tokens());
	}

}
