package io.github.ratelimit.algorithm;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An alignment of windows to a unit of the calendar. Immutable.
 *
 * @param unit the unit, as long as a window
 * @param zone the time zone in which the unit begins
 */
public record Alignment(Unit unit, ZoneId zone) {

	/** The time zone of alignments that name none. */
	public static final String STANDARD_ZONE = "UTC";

	/**
	 * A unit of the ISO calendar.
	 */
	public enum Unit {

		/** A minute, from second 0. */
		MINUTE(Duration.ofMinutes(1), new CalendarSpans.OfClock(Duration.ofMinutes(1))),

		/**
		 * An hour, from minute 0. It is longer if the clock is set by a part of an hour.
		 */
		HOUR(Duration.ofHours(1), new CalendarSpans.OfClock(Duration.ofHours(1))),

		/** A day, from midnight or, if there is none, the first moment of the day. */
		DAY(Duration.ofDays(1), new CalendarSpans.OfDays((day) -> day, (first) -> first.plusDays(1))),

		/** A week, from the start of Monday. */
		WEEK(Duration.ofDays(7),
				new CalendarSpans.OfDays((day) -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)),
						(first) -> first.plusWeeks(1))),

		/** A month, from the start of its first day. */
		MONTH(Duration.ofDays(30),
				new CalendarSpans.OfDays((day) -> day.withDayOfMonth(1), (first) -> first.plusMonths(1)));

		private final Duration period;

		private final CalendarSpans spans;

		Unit(Duration period, CalendarSpans spans) {
			this.period = period;
			this.spans = spans;
		}

		/**
		 * Returns the name in configuration.
		 * @return a lower case word
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Returns the period that a limit states for windows of this unit.
		 * @return the unit's length; 30 days for a month
		 */
		public Duration period() {
			return this.period;
		}

	}

	/**
	 * Returns the alignment of a unit and zone in configuration.
	 * @param unit the name of a unit
	 * @param zone the name of a time zone, such as {@code Asia/Tokyo}
	 * @return the alignment
	 * @throws IllegalArgumentException if there is no such unit or zone
	 */
	public static Alignment of(String unit, String zone) {
		Unit found = Stream.of(Unit.values())
			.filter((each) -> each.id().equals(unit))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("there is no calendar unit '" + unit + "'; there are "
					+ Stream.of(Unit.values()).map(Unit::id).toList()));
		return new Alignment(found, zone(zone));
	}

	/**
	 * Returns the time zone of a name in configuration.
	 * @param name a name such as {@code Asia/Tokyo}
	 * @return the time zone
	 * @throws IllegalArgumentException if there is no such zone
	 */
	public static ZoneId zone(String name) {
		try {
			return ZoneId.of(name);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("there is no time zone '" + name + "'", ex);
		}
	}

	/** Returns when the window of a time began, both in microseconds since 1970. */
	long begin(long time) {
		return TimeUnit.SECONDS.toMicros(this.unit.spans.begin(seconds(time), this.zone));
	}

	/** Returns when the window of a time ends and the next begins. */
	long end(long time) {
		return TimeUnit.SECONDS.toMicros(this.unit.spans.end(seconds(time), this.zone));
	}

	private static long seconds(long micros) {
		return TimeUnit.MICROSECONDS.toSeconds(micros);
	}

}
