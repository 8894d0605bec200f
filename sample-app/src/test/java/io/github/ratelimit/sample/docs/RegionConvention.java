package io.github.ratelimit.sample.docs;

import io.github.ratelimit.spring.metrics.RateLimitObservationContext;
import io.github.ratelimit.spring.metrics.RateLimitObservationConvention;
import io.micrometer.common.KeyValues;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * A convention for observed decisions.
 */
@Profile("docs")
@Component
class RegionConvention extends RateLimitObservationConvention {

	@Override
	public KeyValues getHighCardinalityKeyValues(RateLimitObservationContext context) {
		return super.getHighCardinalityKeyValues(context).and("region", "eu-1");
	}

}
