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
 * Thread-safe.
 */
final class ChatCharges {

	private static final String CONTEXT = "ratelimit.charges.";

	private volatile Terms terms;

	/** The policy that stands for the provider, also when no call is charged any more. */
	private volatile String first;

	/**
	 * Creates the charges.
	 * @param policies the policies, at least one
	 * @param promptSize estimates prompts
	 * @param reserve the tokens to reserve
	 */
	ChatCharges(List<ChargedPolicy> policies, PromptSize promptSize, TokenReserve reserve) {
		this.terms = Terms.of(policies, promptSize, reserve);
		this.first = policies.get(0).name();
	}

	/** Charges other policies from now on, which may be none. */
	void replace(List<ChargedPolicy> policies, PromptSize promptSize, TokenReserve reserve) {
		this.terms = Terms.of(policies, promptSize, reserve);
		this.first = policies.isEmpty() ? this.first : policies.get(0).name();
	}

	/** Returns a request that carries the charges of its caller. */
	ChatClientRequest resolve(ChatClientRequest request, Caller caller) {
		Terms terms = this.terms;
		return request.mutate().context(terms.name(), terms.charges(request, caller)).build();
	}

	/**
	 * Returns a call of a model.
	 * @param request the request
	 * @param caller supplies the caller if another advisor dropped the charges
	 */
	ModelCall call(ChatClientRequest request, Supplier<Caller> caller) {
		Terms terms = this.terms;
		ResolvedChat resolved = (request.context().get(terms.name()) instanceof ResolvedChat known) ? known
				: terms.charges(request, caller.get());
		ModelOptions options = options(request);
		TokenUsage least = terms.reserve()
			.least(options, ChargedPolicy.prompt(terms.policies(), () -> terms.promptSize().of(request)));
		List<Charge> charges = resolved.charges.stream()
			.map((charge) -> ChargedPolicy.of(terms.policies(), charge).reserving(charge, options, least))
			.toList();
		return new ModelCall(terms.policies(), options, least.ofPrompt(), charges);
	}

	/** Returns the name of the policy that stands for the provider. */
	String first() {
		return this.first;
	}

	private static ModelOptions options(ChatClientRequest request) {
		return ModelOptions.of(request.prompt().getOptions());
	}

	/**
	 * The terms of calls.
	 *
	 * @param policies the policies to charge
	 * @param promptSize estimates prompts
	 * @param reserve the tokens to reserve
	 * @param name the name in the context of requests, which other policies do not share
	 */
	private record Terms(List<ChargedPolicy> policies, PromptSize promptSize, TokenReserve reserve, String name) {

		static Terms of(List<ChargedPolicy> policies, PromptSize promptSize, TokenReserve reserve) {
			return new Terms(policies, promptSize, reserve,
					CONTEXT + String.join(",", policies.stream().map(ChargedPolicy::name).toList()));
		}

		ResolvedChat charges(ChatClientRequest request, Caller caller) {
			String model = options(request).model();
			return new ResolvedChat(this.policies.stream()
				.flatMap((policy) -> Stream.ofNullable(policy.charge(caller, model)))
				.toList());
		}

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
