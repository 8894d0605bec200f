package io.github.ratelimit.autoconfigure.consumption;

import io.github.ratelimit.spring.consumption.ConsumptionDelivery;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of records of consumption: {@code ratelimit.consumption.pending}, a gauge of
 * those that wait for a delivery, and {@code ratelimit.consumption.lost}, a counter of
 * those that were never delivered.
 */
final class ConsumptionMeters {

	ConsumptionMeters(MeterRegistry registry, ConsumptionDelivery delivery) {
		Gauge.builder("ratelimit.consumption.pending", delivery, ConsumptionDelivery::pending)
			.description("Records of consumption that wait for a delivery")
			.register(registry);
		FunctionCounter.builder("ratelimit.consumption.lost", delivery, ConsumptionDelivery::lost)
			.description("Records of consumption that were never delivered")
			.register(registry);
	}

}
