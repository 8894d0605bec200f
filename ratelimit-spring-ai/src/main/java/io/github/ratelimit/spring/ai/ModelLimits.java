package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.ai.ChargedPolicy.Unit;
import io.github.ratelimit.spring.client.UpstreamPauses;

/**
 * The parts that limit calls of models, of whatever kind.
 *
 * @param limiter the limiter that decides
 * @param policies the policies that may be charged
 * @param callers the callers for whom models are called
 * @param pauses the pauses of providers
 * @param settings how tokens are reserved and priced
 */
record ModelLimits(RateLimiter limiter, Policies policies, ChatCallers callers, UpstreamPauses pauses,
		TokenSettings settings) {

	private static final String PRICES = "ratelimit.ai.prices";

	private static final String IMAGE_PRICES = "ratelimit.ai.image-prices";

	/** Returns the limits with other settings. */
	ModelLimits with(TokenSettings settings) {
		return new ModelLimits(this.limiter, this.policies, this.callers, this.pauses, settings);
	}

	/** Returns the limits with other policies. */
	ModelLimits among(Policies policies) {
		return new ModelLimits(this.limiter, policies, this.callers, this.pauses, this.settings);
	}

	/**
	 * Returns the policies that calls charge, in the order in which they are charged.
	 * @param charged the names of the policies
	 * @param reserve what a call reserves
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, it can
	 * never admit the reserve, or it counts money and there are no prices
	 */
	List<ChargedPolicy> charged(ChatPolicies charged, TokenReserve reserve) {
		TokenPrices prices = this.settings.prices();
		requirePrices(charged.cost(), prices.byModel().isEmpty(), PRICES);
		return Stream
			.of(in(Unit.REQUESTS, charged.requests(), reserve), in(Unit.TOKENS, charged.tokens(), reserve),
					in(Unit.money(prices::find, PRICES), charged.cost(), reserve))
			.flatMap((policies) -> policies)
			.toList();
	}

	/**
	 * Returns the policies that images charge, in the order in which they are charged.
	 * @param images the names of the policies that count images
	 * @param cost the names of the policies that count money
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, or it
	 * counts money and there are no prices
	 */
	List<ChargedPolicy> chargedByImages(List<String> images, List<String> cost) {
		TokenPrices prices = this.settings.prices();
		requirePrices(cost, prices.ofImages().isEmpty(), IMAGE_PRICES);
		TokenReserve known = TokenReserve.maxTokens(1);
		return Stream
			.concat(in(Unit.TOKENS, images, known), in(Unit.money(prices::findOfImage, IMAGE_PRICES), cost, known))
			.toList();
	}

	/**
	 * Returns the limiter of calls.
	 * @param policy supplies the name of the policy that stands for the provider
	 */
	ChargedCalls calls(Supplier<String> policy) {
		return new ChargedCalls(this.limiter, new ProviderPauses(this.pauses, this.policies, policy));
	}

	private Stream<ChargedPolicy> in(Unit unit, List<String> names, TokenReserve reserve) {
		return names.stream().map((name) -> {
			try {
				return new ChargedPolicy(name, unit, reserve, this.policies, this.callers);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRateLimitConfigurationException(
						"Calls of language models cannot be limited by '" + name + "': " + ex.getMessage(),
						"Correct the name, or the policy 'ratelimit.policies." + name + "'.", ex);
			}
		});
	}

	private static void requirePrices(List<String> cost, boolean missing, String property) {
		if (!cost.isEmpty() && missing) {
			throw new InvalidRateLimitConfigurationException(
					"The cost of language models is limited by " + cost + ", but no model has a price",
					"Configure '" + property + "', for each model or for '" + TokenPrices.DEFAULT + "'.", null);
		}
	}

}
