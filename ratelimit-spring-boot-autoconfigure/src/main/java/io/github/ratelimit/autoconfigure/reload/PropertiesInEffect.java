package io.github.ratelimit.autoconfigure.reload;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;

/**
 * Properties with the schedules that are in effect.
 *
 * @param properties the properties
 * @param groups the property groups of other modules, by name
 * @param schedules the schedules
 * @param digest the digest of the properties and groups, without the schedules
 */
public record PropertiesInEffect(RateLimitProperties properties, Map<String, Object> groups,
		SchedulesInEffect schedules, String digest) {

	/**
	 * Returns a property group of another module.
	 * @param <T> the type of the group
	 * @param name the name of the group
	 * @param type the type of the group
	 * @return the group
	 */
	public <T> T group(String name, Class<T> type) {
		return Objects.requireNonNull(type.cast(this.groups.get(name)));
	}

	/** Returns these properties with the schedules of a time. */
	PropertiesInEffect at(Instant time) {
		return new PropertiesInEffect(this.properties, this.groups, SchedulesInEffect.of(this.properties, time),
				this.digest);
	}

}
