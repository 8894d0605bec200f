package io.github.ratelimit.spring.ai;

import java.util.function.Supplier;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.RetryAfter;
import io.github.ratelimit.spring.client.UpstreamPauses;

import org.springframework.http.HttpHeaders;

/**
 * The pauses that providers demand of the calls of a model.
 */
final class ProviderPauses {

	private final UpstreamPauses pauses;

	private final Policies policies;

	private final Supplier<String> policy;

	/**
	 * Creates the pauses of an advisor.
	 * @param pauses the pauses of upstreams
	 * @param policies the policies
	 * @param policy supplies the name of the policy whose calls are paused, each model on
	 * its own
	 */
	ProviderPauses(UpstreamPauses pauses, Policies policies, Supplier<String> policy) {
		this.pauses = pauses;
		this.policies = policies;
		this.policy = policy;
	}

	/** Throws an UpstreamPausedException if the calls of a model are paused. */
	void requireRunning(String model) {
		this.pauses.requireRunning(this.policies.get(this.policy.get()), model);
	}

	/** Pauses the calls of a model if that is why a call failed. */
	void onFailure(String model, Throwable failure) {
		HttpHeaders headers = ProviderRejection.headers(failure);
		if (headers != null) {
			this.pauses.pause(this.policy.get(), model, RetryAfter.of(headers, this.pauses.date()));
		}
	}

}
