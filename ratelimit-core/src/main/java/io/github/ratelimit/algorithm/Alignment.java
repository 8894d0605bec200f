package io.github.ratelimit.algorithm;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
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
		MINUTE(Duration.ofMinutes(1), (time) -> time.truncatedTo(ChronoUnit.MINUTES), (begin) -> begin.plusMinutes(1)),

		/** An hour, from minute 0. */
		HOUR(Duration.ofHours(1), (time) -> time.truncatedTo(ChronoUnit.HOURS), (begin) -> begin.plusHours(1)),

		/** A day, from midnight or, if there is none, the first moment of the day. */
		DAY(Duration.ofDays(1), Unit::startOfDay, (begin) -> startOfDay(begin.plusDays(1))),

		/** A week, from the start of Monday. */
		WEEK(Duration.ofDays(7), (time) -> startOfDay(time.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))),
				(begin) -> startOfDay(begin.plusWeeks(1))),

		/** A month, from the start of its first day. */
		MONTH(Duration.ofDays(30), (time) -> startOfDay(time.withDayOfMonth(1)),
				(begin) -> startOfDay(begin.plusMonths(1)));

		private final Duration period;

		private final UnaryOperator<ZonedDateTime> begin;

		private final UnaryOperator<ZonedDateTime> next;

		Unit(Duration period, UnaryOperator<ZonedDateTime> begin, UnaryOperator<ZonedDateTime> next) {
			this.period = period;
			this.begin = begin;
			this.next = next;
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

		private static ZonedDateTime startOfDay(ZonedDateTime time) {
			return time.toLocalDate().atStartOfDay(time.getZone());
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
		try {
			return new Alignment(found, ZoneId.of(zone));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("there is no time zone '" + zone + "'", ex);
		}
	}

	/** Returns when the window of a time began, both in microseconds since 1970. */
	long begin(long time) {
		return micros(this.unit.begin.apply(zoned(time)));
	}

	/** Returns when the window of a time ends and the next begins. */
	long end(long time) {
		return micros(this.unit.next.apply(this.unit.begin.apply(zoned(time))));
	}

	private ZonedDateTime zoned(long micros) {
		long seconds = TimeUnit.MICROSECONDS.toSeconds(micros);
		return Instant.ofEpochSecond(seconds).atZone(this.zone);
	}

	private static long micros(ZonedDateTime time) {
		return TimeUnit.SECONDS.toMicros(time.toEpochSecond());
	}

}
