package io.github.ratelimit.autoconfigure.properties;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PolicyProperties.ScheduleProperties;

/**
 * A reader of the schedules of a policy.
 */
final class ScheduleReader {

	private static final String END_OF_DAY = "24:00";

	private final String property;

	private final PolicyProperties policy;

	ScheduleReader(String policy, PolicyProperties properties) {
		this.property = RateLimitProperties.PREFIX + ".policies." + policy + ".schedules";
		this.policy = properties;
	}

	/** Returns the property of a schedule. */
	String property(int index) {
		return this.property + '[' + index + ']';
	}

	/** Reads a schedule. */
	Schedule read(int index) {
		ScheduleProperties schedule = this.policy.schedules().get(index);
		String name = property(index);
		String zone = (schedule.zone() != null) ? schedule.zone() : this.policy.zone();
		return new Schedule(PropertyCheck.checked(name + ".days", schedule.days(), () -> days(schedule.days())),
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

}
