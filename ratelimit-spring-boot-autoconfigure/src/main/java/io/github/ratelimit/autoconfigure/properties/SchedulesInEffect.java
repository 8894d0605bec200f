package io.github.ratelimit.autoconfigure.properties;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * The schedules that are in effect at a time.
 *
 * @param byPolicy the index of the schedule of each policy that one is in effect for
 */
public record SchedulesInEffect(Map<String, Integer> byPolicy) {

	/**
	 * Returns the schedules that are in effect.
	 * @param properties the properties
	 * @param time the time
	 * @return the first schedule of each policy that includes the time
	 */
	public static SchedulesInEffect of(RateLimitProperties properties, Instant time) {
		Map<String, Integer> byPolicy = new HashMap<>();
		properties.policies()
			.forEach((name, policy) -> first(name, policy, time).ifPresent((index) -> byPolicy.put(name, index)));
		return new SchedulesInEffect(Map.copyOf(byPolicy));
	}

	/**
	 * Returns the schedules that were in effect when an application started.
	 * @param properties the properties
	 * @param application the application
	 * @return the first schedule of each policy that includes the time
	 */
	public static SchedulesInEffect atStart(RateLimitProperties properties, ApplicationContext application) {
		return of(properties, Instant.ofEpochMilli(application.getStartupDate()));
	}

	private static OptionalInt first(String name, PolicyProperties policy, Instant time) {
		ScheduleReader reader = new ScheduleReader(name, policy);
		return IntStream.range(0, policy.schedules().size())
			.filter((index) -> reader.read(index).includes(time))
			.findFirst();
	}

	/** Returns the index of the schedule of a policy, or null. */
	@Nullable Integer of(String policy) {
		return this.byPolicy.get(policy);
	}

}
