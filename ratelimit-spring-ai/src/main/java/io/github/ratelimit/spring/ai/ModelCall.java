package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClientResponse;

/**
 * A call of a model: its charges, and what its response has reported so far. Signals of a
 * response come one after the other, but a cancellation may come meanwhile.
 */
final class ModelCall {

	private final List<ChargedPolicy> policies;

	private final ModelOptions options;

	private final List<Charge> charges;

	private volatile TokenUsage usage = TokenUsage.NONE;

	private volatile boolean responded;

	ModelCall(List<ChargedPolicy> policies, ModelOptions options, List<Charge> charges) {
		this.policies = policies;
		this.options = options;
		this.charges = charges;
	}

	/**
	 * Returns the charges with the costs to reserve, none if no policy limits the call.
	 */
	List<Charge> charges() {
		return this.charges;
	}

	/** Returns the name of the model. */
	String model() {
		return this.options.name();
	}

	/** Notes a response or a part of it. */
	void received(ChatClientResponse response) {
		this.usage = this.usage.max(TokenUsage.of(response.chatResponse()));
		this.responded = true;
	}

	/**
	 * Returns the charges to adjust, once the call has ended. Calls stay charged, as the
	 * provider counts them whatever becomes of them. Tokens and money are adjusted to the
	 * usage. Without one they stay as reserved if there was a response, and are refunded
	 * if there was none.
	 */
	List<Adjustment> adjustments(Reservation reservation) {
		return reservation.perCharge().stream().flatMap((part) -> Stream.ofNullable(adjustment(part))).toList();
	}

	private @Nullable Adjustment adjustment(Reservation part) {
		Charge charge = part.charges().get(0);
		ChargedPolicy policy = ChargedPolicy.of(this.policies, charge);
		if (policy.isOfRequests()) {
			return null;
		}
		if (this.usage.isKnown()) {
			long cost = policy.cost(this.options, this.usage);
			policy.learn(cost);
			return new Adjustment(part, cost);
		}
		return this.responded ? null : new Adjustment(part, 0);
	}

	/**
	 * An adjustment of one charge.
	 *
	 * @param part the reservation of the charge
	 * @param actual what the call has cost
	 */
	record Adjustment(Reservation part, long actual) {

	}

}
