package io.github.ratelimit.autoconfigure.properties;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PolicyProperties.ScheduleProperties;

/**
 * A reader of the schedules of a policy or of one of its plans.
 */
final class ScheduleReader {

	private static final String END_OF_DAY = "24:00";

	private final String owner;

	private final List<ScheduleProperties> schedules;

	private final String zone;

	private ScheduleReader(String owner, List<ScheduleProperties> schedules, String zone) {
		this.owner = owner;
		this.schedules = schedules;
		this.zone = zone;
	}

	/** Returns the reader of the schedules of a policy. */
	static ScheduleReader ofPolicy(String name, PolicyProperties policy) {
		return new ScheduleReader(RateLimitProperties.PREFIX + ".policies." + name, policy.schedules(), policy.zone());
	}

	/** Returns the readers of the schedules of all plans of a policy, by plan. */
	static Map<String, ScheduleReader> ofPlans(String name, PolicyProperties policy) {
		String plans = RateLimitProperties.PREFIX + ".policies." + name + ".plans.";
		Map<String, ScheduleReader> readers = new LinkedHashMap<>();
		policy.plans()
			.forEach((plan, properties) -> readers.put(plan,
					new ScheduleReader(plans + plan, properties.schedules(), policy.zone())));
		return readers;
	}

	/** Returns the property of the policy or plan. */
	String owner() {
		return this.owner;
	}

	/** Returns the number of schedules. */
	int size() {
		return this.schedules.size();
	}

	/** Returns the first schedule that includes a time, if there is one. */
	OptionalInt first(Instant time) {
		return IntStream.range(0, size()).filter((index) -> read(index).includes(time)).findFirst();
	}

	/** Returns the limits of a schedule as texts. */
	List<String> limits(int index) {
		return this.schedules.get(index).limits();
	}

	/** Returns the property of a schedule. */
	String property(int index) {
		return this.owner + ".schedules[" + index + ']';
	}

	/** Requires a schedule to have valid times. */
	void check(int index) {
		read(index);
	}

	private Schedule read(int index) {
		ScheduleProperties schedule = this.schedules.get(index);
		String name = property(index);
		String zone = (schedule.zone() != null) ? schedule.zone() : this.zone;
		return new Schedule(PropertyCheck.checked(name + ".days", schedule.days(), () -> days(schedule.days())),
				PropertyCheck.checked(name + ".dates", schedule.dates(),
						() -> schedule.dates().stream().map(ScheduleReader::dates).toList()),
				PropertyCheck.checked(name + ".from", schedule.from(), () -> time(schedule.from())),
				PropertyCheck.checked(name + ".to", schedule.to(), () -> time(schedule.to())),
				PropertyCheck.checked(name + ".zone", zone, () -> zone(zone)));
	}

	/** Parses a time. YAML reads 20:00 without quotes as a number of minutes. */
	private static LocalTime time(String text) {
		try {
			return text.equals(END_OF_DAY) ? LocalTime.MIDNIGHT : LocalTime.parse(text);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("a time is written as \"20:00\", in YAML with the quotes", ex);
		}
	}

	private static ZoneId zone(String name) {
		try {
			return ZoneId.of(name);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("a time zone is written as Europe/Berlin or UTC", ex);
		}
	}

	private static Set<DayOfWeek> days(List<String> texts) {
		Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
		texts.forEach((text) -> addRange(text.split("-", 2), days));
		return days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days;
	}

	private static void addRange(String[] ends, Set<DayOfWeek> days) {
		DayOfWeek first = day(ends[0]);
		DayOfWeek last = day(ends[ends.length - 1]);
		Stream.iterate(first, (day) -> day.plus(1))
			.limit(Math.floorMod(last.getValue() - first.getValue(), 7) + 1)
			.forEach(days::add);
	}

	private static DayOfWeek day(String text) {
		String name = text.strip().toUpperCase(Locale.ROOT);
		return Arrays.stream(DayOfWeek.values())
			.filter((day) -> day.name().equals(name) || day.name().substring(0, 3).equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("days are written as mon, tue or a range such as mon-fri"));
	}

	private static Dates dates(String text) {
		String[] ends = text.split("\\.\\.", 2);
		Dates dates = new Dates(date(ends[0]), date(ends[ends.length - 1]));
		if (dates.last().isBefore(dates.first())) {
			throw new IllegalArgumentException("the last date is before the first");
		}
		return dates;
	}

	private static LocalDate date(String text) {
		try {
			return LocalDate.parse(text.strip());
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(
					"dates are written as 2026-11-27 or a range such as " + "2026-11-27..2026-11-30", ex);
		}
	}

	/**
	 * Dates from the first to the last, which are included.
	 */
	private record Dates(LocalDate first, LocalDate last) {

		boolean include(LocalDate date) {
			return !date.isBefore(this.first) && !date.isAfter(this.last);
		}

	}

	/**
	 * Times that come back each week or are on some dates, by the clocks of a time zone.
	 *
	 * @param days the days of the week on which they begin
	 * @param dates the dates on which they begin, none for all
	 * @param from the time of the day at which they begin
	 * @param to the time of the day before which they end, on the day after if it is not
	 * later than the beginning
	 * @param zone the time zone
	 */
	private record Schedule(Set<DayOfWeek> days, List<Dates> dates, LocalTime from, LocalTime to, ZoneId zone) {

		/** Returns whether a time is one of them. */
		boolean includes(Instant instant) {
			ZonedDateTime time = instant.atZone(this.zone);
			boolean hasBegun = isOn(time) && !time.toLocalTime().isBefore(this.from);
			boolean hasEnded = !time.toLocalTime().isBefore(this.to);
			return this.from.isBefore(this.to) ? hasBegun && !hasEnded
					: hasBegun || (isOn(time.minusDays(1)) && !hasEnded);
		}

		private boolean isOn(ZonedDateTime time) {
			LocalDate date = time.toLocalDate();
			return this.days.contains(date.getDayOfWeek())
					&& (this.dates.isEmpty() || this.dates.stream().anyMatch((each) -> each.include(date)));
		}

	}

}
