package io.github.ratelimit.spring.metrics;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observed decision. It contains no key, so that no convention can
 * reveal who the caller is. The outcome is set before the observation stops, on the
 * thread that stops it.
 */
public final class RateLimitObservationContext extends Observation.Context {

	private final String store;

	private final List<String> policies;

	private @Nullable CallOutcome outcome;

	private @Nullable Decision decision;

	RateLimitObservationContext(String store, List<Charge> charges) {
		this.store = store;
		this.policies = charges.stream().map(Charge::policy).distinct().toList();
	}

	void end(CallOutcome outcome, @Nullable Decision decision) {
		this.outcome = outcome;
		this.decision = decision;
	}

	/**
	 * Returns the store.
	 * @return its name, such as {@code redis}
	 */
	public String getStore() {
		return this.store;
	}

	/**
	 * Returns the policies that the call charges.
	 * @return their names, at least one, in the order of the charges
	 */
	public List<String> getPolicies() {
		return this.policies;
	}

	/**
	 * Returns the policy with the worst outcome.
	 * @return its name; before the decision, the first policy
	 */
	public String getPolicy() {
		return (this.outcome != null) ? this.outcome.policy() : this.policies.get(0);
	}

	/**
	 * Returns the worst outcome of the call's charges, one of those of the meter
	 * {@code ratelimit.requests}.
	 * @return such as {@code allowed}, {@code null} before the decision
	 */
	public @Nullable String getOutcome() {
		return (this.outcome != null) ? this.outcome.outcome().tag() : null;
	}

	/**
	 * Returns the decision of the store or, if it failed, the local one.
	 * @return {@code null} before the decision, or if there is none
	 */
	public @Nullable Decision getDecision() {
		return this.decision;
	}

}
