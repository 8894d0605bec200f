package io.github.ratelimit.spring.ai;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.UpstreamPausedException;
import io.github.ratelimit.spring.client.UpstreamPauses;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.ai.chat.client.advisor.api.Advisor;

/**
 * A factory of advisors that keep the calls of a {@code ChatClient} under policies.
 * Thread-safe.
 *
 * <p>
 * Each call of a model charges all policies in one decision, also the further calls of a
 * request whose tools the model calls. Tokens and money are reserved and, when the call
 * has ended, adjusted to what the response reports. If it reports nothing they stay as
 * reserved, or are refunded if there was no response at all. The call itself stays
 * charged.
 *
 * <p>
 * A denied call ends in a {@link RateLimitExceededException}, which a stream emits. A 429
 * or 503 of the provider with {@code Retry-After} pauses the calls of the model for that
 * time, a minute at most: they end in an {@link UpstreamPausedException}. If the store
 * fails and the policy denies then, a call ends in a {@link RateLimitStoreException}.
 */
public final class RateLimitedChatClients {

	private final ModelLimits limits;

	/**
	 * Creates a factory.
	 * @param limiter the limiter that decides
	 * @param policies the policies that may be charged
	 * @param callers the callers for whom models are called
	 * @param pauses the pauses of providers
	 * @param settings how tokens are reserved and priced
	 */
	public RateLimitedChatClients(RateLimiter limiter, Policies policies, ChatCallers callers, UpstreamPauses pauses,
			TokenSettings settings) {
		this(new ModelLimits(limiter, policies, callers, pauses, settings));
	}

	private RateLimitedChatClients(ModelLimits limits) {
		this.limits = limits;
	}

	/**
	 * Returns this factory with another reserve.
	 * @param reserve what a call reserves
	 * @return a factory
	 */
	public RateLimitedChatClients reserving(TokenReserve reserve) {
		return with(this.limits.settings().withReserve(reserve));
	}

	/**
	 * Returns this factory with other settings.
	 * @param settings how tokens are reserved and priced
	 * @return a factory
	 */
	public RateLimitedChatClients with(TokenSettings settings) {
		return new RateLimitedChatClients(this.limits.with(settings));
	}

	/**
	 * Returns the advisors of a client whose calls charge two policies.
	 * @param requests the name of the policy that counts calls
	 * @param tokens the name of the policy that counts tokens
	 * @return the advisors, all of which the client needs
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, or it
	 * can never admit the reserve
	 */
	public List<Advisor> advisors(String requests, String tokens) {
		return advisors(new ChatPolicies(List.of(requests), List.of(tokens), List.of()));
	}

	/**
	 * Returns the advisors of a client.
	 * @param charged the policies that each call of a model charges
	 * @return the advisors, all of which the client needs; none without policies
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, it can
	 * never admit the reserve, or it counts money and there are no prices
	 */
	public List<Advisor> advisors(ChatPolicies charged) {
		if (charged.all().isEmpty()) {
			return List.of();
		}
		TokenSettings settings = this.limits.settings();
		ChatCharges charges = new ChatCharges(this.limits.charged(charged, settings.reserve()), settings.promptSize(),
				settings.reserve());
		Callers callers = this.limits.callers().current();
		return List.of(new CallerAdvisor(charges, callers),
				new ModelCallAdvisor(charges, callers, this.limits.calls(charges::first)));
	}

	/**
	 * Checks other policies of a client, with the settings of this factory. Nothing
	 * changes before the result runs.
	 * @param advisors the advisors of the client, which such a factory has created
	 * @param charged the policies that each call of a model charges
	 * @param policies the policies that may replace those in effect
	 * @return lets the advisors charge the policies
	 * @throws InvalidRateLimitConfigurationException as {@link #advisors(ChatPolicies)}
	 * does
	 */
	public Runnable prepare(List<Advisor> advisors, ChatPolicies charged, Policies policies) {
		TokenSettings settings = this.limits.settings();
		List<ChargedPolicy> checked = this.limits.among(policies)
			.charged(charged, settings.reserve())
			.stream()
			.map((policy) -> policy.by(this.limits.policies()))
			.toList();
		return () -> advisors.forEach((advisor) -> {
			if (advisor instanceof ModelCallAdvisor charging) {
				charging.charges().replace(checked, settings.promptSize(), settings.reserve());
			}
		});
	}

}
