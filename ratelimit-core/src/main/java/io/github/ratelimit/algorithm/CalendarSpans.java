package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.function.UnaryOperator;

/**
 * The spans of time of a unit of the calendar. In every zone they cover all times, and
 * each time once, however its clock is set. Times are seconds since 1970.
 */
interface CalendarSpans {

	/** Returns when the span of a time begins. */
	long begin(long time, ZoneId zone);

	/** Returns when the span of a time ends and the next one begins. */
	long end(long time, ZoneId zone);

	/**
	 * Spans of the same length that begin by the clock, as hours do with minute 0. If the
	 * clock is set by a part of the length, the span during which it is, or that ends
	 * then, goes on until the clock shows a begin again. So no span is too short.
	 *
	 * @param length the length in seconds
	 */
	record OfClock(long length) implements CalendarSpans {

		OfClock(Duration length) {
			this(length.toSeconds());
		}

		@Override
		public long begin(long time, ZoneId zone) {
			ZoneRules rules = zone.getRules();
			long begin = lastBegin(time, rules);
			ZoneOffsetTransition change = rules.previousTransition(Instant.ofEpochSecond(time + 1));
			boolean wasLonger = change != null && change.toEpochSecond() >= begin && breaksSpan(change);
			return wasLonger ? begin(change.toEpochSecond() - 1, zone) : begin;
		}

		@Override
		public long end(long time, ZoneId zone) {
			ZoneRules rules = zone.getRules();
			long end = lastBegin(time, rules) + this.length;
			ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(time));
			boolean isLonger = change != null && change.toEpochSecond() <= end && breaksSpan(change);
			return isLonger ? end(change.toEpochSecond(), zone) : end;
		}

		private long lastBegin(long time, ZoneRules rules) {
			int offset = rules.getOffset(Instant.ofEpochSecond(time)).getTotalSeconds();
			return time - Math.floorMod(time + offset, this.length);
		}

		private boolean breaksSpan(ZoneOffsetTransition change) {
			return change.getDuration().toSeconds() % this.length != 0;
		}

	}

	/**
	 * Spans of whole days. Each begins with the first moment of its first day, and does
	 * not begin again if the clock is then set back across midnight.
	 *
	 * @param first returns the first day of the span of a day
	 * @param next returns the first day of the span after one
	 */
	record OfDays(UnaryOperator<LocalDate> first, UnaryOperator<LocalDate> next) implements CalendarSpans {

		@Override
		public long begin(long time, ZoneId zone) {
			return start(firstDay(time, zone), zone);
		}

		@Override
		public long end(long time, ZoneId zone) {
			return start(this.next.apply(firstDay(time, zone)), zone);
		}

		private LocalDate firstDay(long time, ZoneId zone) {
			LocalDate first = this.first.apply(LocalDate.ofInstant(Instant.ofEpochSecond(time), zone));
			LocalDate next = this.next.apply(first);
			return (start(next, zone) <= time) ? next : first;
		}

		private static long start(LocalDate day, ZoneId zone) {
			return day.atStartOfDay(zone).toEpochSecond();
		}

	}

}
