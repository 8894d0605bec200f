package io.github.ratelimit.spring.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * A convention for the names and key values of observed decisions. A bean of this type
 * replaces the {@link DefaultRateLimitObservationConvention}. Implementations are
 * thread-safe and return the same low-cardinality keys for every decision, as meters
 * require.
 */
public interface RateLimitObservationConvention extends ObservationConvention<RateLimitObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RateLimitObservationContext;
	}

}
