package io.github.ratelimit.autoconfigure.properties;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * The schedules that are in effect at a time.
 *
 * @param byOwner the index of the schedule by the property of each policy or plan that
 * one is in effect for
 */
public record SchedulesInEffect(Map<String, Integer> byOwner) {

	/**
	 * Returns the schedules that are in effect.
	 * @param properties the properties
	 * @param time the time
	 * @return the first schedule of each policy and plan that includes the time
	 */
	public static SchedulesInEffect of(RateLimitProperties properties, Instant time) {
		Map<String, Integer> byOwner = new HashMap<>();
		properties.policies().forEach((name, policy) -> {
			put(ScheduleReader.ofPolicy(name, policy), time, byOwner);
			ScheduleReader.ofPlans(name, policy).values().forEach((plan) -> put(plan, time, byOwner));
		});
		return new SchedulesInEffect(Map.copyOf(byOwner));
	}

	/**
	 * Returns the schedules that were in effect when an application started.
	 * @param properties the properties
	 * @param application the application
	 * @return the first schedule of each policy and plan that includes the time
	 */
	public static SchedulesInEffect atStart(RateLimitProperties properties, ApplicationContext application) {
		return of(properties, Instant.ofEpochMilli(application.getStartupDate()));
	}

	private static void put(ScheduleReader schedules, Instant time, Map<String, Integer> byOwner) {
		schedules.first(time).ifPresent((index) -> byOwner.put(schedules.owner(), index));
	}

	/** Returns the index of the schedule of a policy or plan, or null. */
	@Nullable Integer of(ScheduleReader schedules) {
		return this.byOwner.get(schedules.owner());
	}

}
