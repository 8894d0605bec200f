package io.github.ratelimit.autoconfigure.reload;

import java.time.Instant;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;

/**
 * Properties with the schedules that are in effect.
 *
 * @param properties the properties
 * @param schedules the schedules
 */
record PropertiesInEffect(RateLimitProperties properties, SchedulesInEffect schedules) {

	/** Returns properties with the schedules of a time. */
	static PropertiesInEffect at(Instant time, RateLimitProperties properties) {
		return new PropertiesInEffect(properties, SchedulesInEffect.of(properties, time));
	}

}
