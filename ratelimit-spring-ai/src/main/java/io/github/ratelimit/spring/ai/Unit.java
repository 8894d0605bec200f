package io.github.ratelimit.spring.ai;

import io.github.ratelimit.policy.InvalidCostException;

/**
 * A unit in which a policy counts calls of models.
 */
interface Unit {

	/** A call of a model. */
	Unit REQUESTS = (policy, model, usage) -> 1;

	/** A token of a prompt or completion. */
	Unit TOKENS = (policy, model, usage) -> usage.total();

	/**
	 * Returns the permits that a call costs.
	 * @param policy the name of the policy, for messages
	 * @param model the name of the model
	 * @param usage the tokens of the call
	 */
	long cost(String policy, String model, TokenUsage usage);

	/** Returns a millionth of the currency of prices. */
	static Unit money(TokenPrices prices) {
		return (policy, model, usage) -> {
			TokenPrice price = prices.find(model);
			if (price == null) {
				throw new InvalidCostException(policy,
						"Policy '" + policy + "' cannot charge a call of model '" + model
								+ "': it has no price. Configure 'ratelimit.ai.prices', for the model or for '"
								+ TokenPrices.DEFAULT + "'.");
			}
			return price.of(usage);
		};
	}

}
