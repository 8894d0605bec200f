package io.github.ratelimit.spring.metrics;

import io.github.ratelimit.spring.metrics.RateLimitObservationDocumentation.HighCardinalityKeyNames;
import io.github.ratelimit.spring.metrics.RateLimitObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.common.KeyValues;

/**
 * The default {@link RateLimitObservationConvention}, with the keys of the
 * {@link RateLimitObservationDocumentation}. Thread-safe.
 */
public class DefaultRateLimitObservationConvention implements RateLimitObservationConvention {

	/** Creates the convention. */
	public DefaultRateLimitObservationConvention() {
	}

	@Override
	public String getName() {
		return RateLimitObservationDocumentation.DECISION.getName();
	}

	@Override
	public String getContextualName(RateLimitObservationContext context) {
		return "ratelimit " + String.join(",", context.getPolicies());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RateLimitObservationContext context) {
		String outcome = context.getOutcome();
		return KeyValues.of(LowCardinalityKeyNames.STORE.withValue(context.getStore()),
				LowCardinalityKeyNames.OUTCOME.withValue((outcome != null) ? outcome : "unknown"),
				LowCardinalityKeyNames.POLICY.withValue(context.getPolicy()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RateLimitObservationContext context) {
		return KeyValues.of(HighCardinalityKeyNames.POLICIES.withValue(String.join(",", context.getPolicies())));
	}

}
