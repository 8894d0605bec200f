package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.CallCharges;
import org.jspecify.annotations.Nullable;

/**
 * A call of a model: its charges, and what its response has reported so far. Signals of a
 * response come one after the other, but a cancellation may come meanwhile.
 */
final class ModelCall {

	private final List<ChargedPolicy> policies;

	private final ModelOptions options;

	private final TokenUsage prompt;

	private final CallCharges charges;

	/** The tokens that the provider has read, even if it does not respond. */
	private volatile TokenUsage read = TokenUsage.NONE;

	private volatile @Nullable TokenUsage usage;

	private volatile boolean responded;

	ModelCall(List<ChargedPolicy> policies, ModelOptions options, TokenUsage prompt, List<Charge> charges) {
		this.policies = policies;
		this.options = options;
		this.prompt = prompt;
		this.charges = CallCharges.of(charges, (charged, outcome) -> actual(charged));
	}

	/**
	 * Returns a call for a caller.
	 * @param policies the policies that it charges
	 * @param caller the caller
	 * @param options the options of the call
	 * @param least the tokens that it reserves at least
	 */
	static ModelCall of(List<ChargedPolicy> policies, Caller caller, ModelOptions options, TokenUsage least) {
		return new ModelCall(policies, options, least.ofPrompt(),
				policies.stream()
					.flatMap((policy) -> Stream.ofNullable(policy.charge(caller, options.model()))
						.map((charge) -> policy.reserving(charge, options, least)))
					.toList());
	}

	/**
	 * Returns the charges with the costs to reserve, none if no policy limits the call.
	 */
	CallCharges charges() {
		return this.charges;
	}

	/** Returns the name of the model. */
	String model() {
		return this.options.name();
	}

	/** Notes that the provider is called. */
	void called() {
		this.read = this.prompt;
	}

	/** Notes that the provider has not worked on the call. */
	void refused() {
		this.read = TokenUsage.NONE;
	}

	/** Notes a response, with the usage that it reports. */
	void responded(@Nullable TokenUsage reported) {
		this.usage = reported;
		this.responded = true;
	}

	/**
	 * Notes a part of a response. No tokens mean that it reports none yet: some models
	 * have zeros in each part if the provider reports no usage of streams.
	 */
	void received(@Nullable TokenUsage reported) {
		if (reported != null && reported.total() > 0) {
			TokenUsage before = this.usage;
			this.usage = (before != null) ? before.max(reported) : reported;
		}
		this.responded = true;
	}

	/** Notes that the call was denied. */
	void denied(Decision decision) {
		this.charges.charges().forEach((charge) -> policy(charge).learnLeft(charge, decision, 0));
	}

	/**
	 * Returns what a charge costs, once the call has ended. Calls stay charged, as the
	 * provider counts them whatever becomes of them. Tokens and money are adjusted to the
	 * usage. Without one they stay as reserved if there was a response. If there was
	 * none, the prompt stays charged, as a provider works on it before it responds.
	 */
	private long actual(Reservation charged) {
		Charge charge = charged.charges().get(0);
		ChargedPolicy policy = policy(charge);
		TokenUsage reported = this.usage;
		if (policy.isOfRequests()) {
			return charge.cost();
		}
		long cost = policy.cost(charge, this.options, (reported != null) ? reported : this.read);
		if (reported != null) {
			policy.learn(charge, cost);
		}
		else if (this.responded) {
			return Math.max(charge.cost(), cost);
		}
		policy.learnLeft(charge, charged.decision(), charge.cost() - cost);
		return cost;
	}

	private ChargedPolicy policy(Charge charge) {
		return ChargedPolicy.of(this.policies, charge);
	}

}
