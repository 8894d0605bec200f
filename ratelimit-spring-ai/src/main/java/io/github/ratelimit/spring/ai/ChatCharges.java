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
		ModelOptions options = options(request);
		TokenUsage most = this.reserve.most(options, () -> this.promptSize.of(request));
		List<Charge> charges = resolved.charges.stream()
			.map((charge) -> ChargedPolicy.of(this.policies, charge).reserving(charge, options, most))
			.toList();
		return new ModelCall(this.policies, options, charges);
	}

	private ResolvedChat charges(ChatClientRequest request, Caller caller) {
		String model = options(request).model();
		return new ResolvedChat(
				this.policies.stream().flatMap((policy) -> Stream.ofNullable(policy.charge(caller, model))).toList());
	}

	private static ModelOptions options(ChatClientRequest request) {
		return ModelOptions.of(request.prompt().getOptions());
	}

	/**
	 * The charges of a caller, without their costs, as the context of a request carries
	 * them. It has no text of its own, as that of a charge has the caller's key and
	 * contexts are logged.
	 */
	private static final class ResolvedChat {

		private final List<Charge> charges;

		private ResolvedChat(List<Charge> charges) {
			this.charges = charges;
		}

	}

}
