package io.github.ratelimit.spring.metrics;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names and key values of observed decisions. A bean of a subclass replaces them. It
 * is thread-safe and returns the same low-cardinality keys for every decision, as meters
 * require.
 */
public class RateLimitObservationConvention implements ObservationConvention<RateLimitObservationContext> {

	/** Creates the convention. */
	public RateLimitObservationConvention() {
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof RateLimitObservationContext;
	}

	@Override
	public String getName() {
		return "ratelimit.decision";
	}

	@Override
	public String getContextualName(RateLimitObservationContext context) {
		return "ratelimit " + String.join(",", context.getPolicies());
	}

	/**
	 * Returns the tags of the meter: the store, and the worst outcome of the call's
	 * charges with the first policy that has it.
	 */
	@Override
	public KeyValues getLowCardinalityKeyValues(RateLimitObservationContext context) {
		String outcome = context.getOutcome();
		return KeyValues.of("store", context.getStore(), "outcome", (outcome != null) ? outcome : "unknown", "policy",
				context.getPolicy());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RateLimitObservationContext context) {
		return KeyValues.of("policies", String.join(",", context.getPolicies()));
	}

}
