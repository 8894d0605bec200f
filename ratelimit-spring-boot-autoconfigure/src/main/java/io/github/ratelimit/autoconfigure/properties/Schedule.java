package io.github.ratelimit.autoconfigure.properties;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Set;

/**
 * Times that come back each week, by the clocks of a time zone.
 *
 * @param days the days on which they begin
 * @param from the time of the day at which they begin
 * @param to the time of the day before which they end, on the day after if it is not
 * later than the beginning
 * @param zone the time zone
 */
record Schedule(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

	/** Returns whether a time is one of them. */
	boolean includes(Instant instant) {
		ZonedDateTime time = instant.atZone(this.zone);
		boolean hasBegun = isOn(time) && !time.toLocalTime().isBefore(this.from);
		boolean hasEnded = !time.toLocalTime().isBefore(this.to);
		return this.from.isBefore(this.to) ? hasBegun && !hasEnded : hasBegun || (isOn(time.minusDays(1)) && !hasEnded);
	}

	private boolean isOn(ZonedDateTime time) {
		return this.days.contains(time.getDayOfWeek());
	}

}
