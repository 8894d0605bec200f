package io.github.ratelimit.algorithm;

import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class AlignmentTests {

	@ParameterizedTest
	@CsvSource({ "MINUTE, 2026-09-21T12:34:56.789012Z, 2026-09-21T12:34:00Z, 2026-09-21T12:35:00Z",
			"HOUR, 2026-09-21T12:34:56Z, 2026-09-21T12:00:00Z, 2026-09-21T13:00:00Z",
			"DAY, 2026-09-21T23:59:59.999999Z, 2026-09-21T00:00:00Z, 2026-09-22T00:00:00Z",
			"WEEK, 2026-09-20T23:59:59.999999Z, 2026-09-14T00:00:00Z, 2026-09-21T00:00:00Z",
			"WEEK, 2026-09-21T00:00:00Z, 2026-09-21T00:00:00Z, 2026-09-28T00:00:00Z",
			"MONTH, 2028-02-29T12:00:00Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
			"MONTH, 2026-12-31T12:00:00Z, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z" })
	void beginsWithAUnitOfTheCalendar(Alignment.Unit unit, Instant time, Instant begin, Instant end) {
		assertWindow(unit, "UTC", time, begin, end);
	}

	@ParameterizedTest
	@CsvSource({ "HOUR, Asia/Kolkata, 2026-09-21T12:34:56Z, 2026-09-21T12:30:00Z, 2026-09-21T13:30:00Z",
			"DAY, Asia/Tokyo, 2026-09-21T16:00:00Z, 2026-09-21T15:00:00Z, 2026-09-22T15:00:00Z",
			"WEEK, America/New_York, 2026-09-21T03:59:59Z, 2026-09-14T04:00:00Z, 2026-09-21T04:00:00Z",
			"MONTH, Europe/Berlin, 2026-03-15T12:00:00Z, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z" })
	void followsItsTimeZone(Alignment.Unit unit, String zone, Instant time, Instant begin, Instant end) {
		assertWindow(unit, zone, time, begin, end);
	}

	@ParameterizedTest
	@CsvSource({ "Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
			"Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
			"America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z" })
	void hasShortAndLongDaysAndDaysWithoutMidnight(String zone, Instant time, Instant begin, Instant end) {
		assertWindow(Alignment.Unit.DAY, zone, time, begin, end);
	}

	@ParameterizedTest
	@CsvSource({ "Australia/Lord_Howe, 2025-04-05T15:07:00Z, 2025-04-05T14:00:00Z, 2025-04-05T15:30:00Z",
			"Australia/Lord_Howe, 2025-10-04T15:40:00Z, 2025-10-04T14:30:00Z, 2025-10-04T16:00:00Z",
			"Pacific/Chatham, 2026-04-04T14:03:00Z, 2026-04-04T13:15:00Z, 2026-04-04T14:15:00Z" })
	void hasAnHourThatIsLongerIfTheClockIsSetByAPartOfAnHour(String zone, Instant time, Instant begin, Instant end) {
		assertWindow(Alignment.Unit.HOUR, zone, time, begin, end);
	}

	@ParameterizedTest
	@CsvSource({ "America/St_Johns, 2006-10-29T03:00:00Z, 2006-10-29T02:30:00Z, 2006-10-30T03:30:00Z" })
	void endsADayOnceIfTheClockIsSetBackAcrossMidnight(String zone, Instant time, Instant begin, Instant end) {
		assertWindow(Alignment.Unit.DAY, zone, time, begin, end);
	}

	/** Checks a few times around each change of the clock, in zones of all rules. */
	@ParameterizedTest
	@EnumSource
	void coversAllTimesOfAllZonesOnce(Alignment.Unit unit) {
		zones().forEach((zone) -> changes(zone.getRules()).forEach((change) -> {
			Alignment alignment = new Alignment(unit, zone);
			long around = micros(change.getInstant());
			long shift = Math.abs(change.getDuration().toSeconds()) * 1_000_000;
			Stream.of(-shift - 1, -shift / 2, -1L, 0L, shift / 2, shift - 1, shift, 3 * shift / 2)
				.forEach((distance) -> assertCovered(alignment, around + distance));
		}));
	}

	private static Stream<ZoneId> zones() {
		Map<ZoneRules, ZoneId> zones = ZoneId.getAvailableZoneIds()
			.stream()
			.map(ZoneId::of)
			.collect(Collectors.toMap(ZoneId::getRules, Function.identity(), (one, same) -> one));
		return zones.values().stream();
	}

	private static Stream<ZoneOffsetTransition> changes(ZoneRules rules) {
		return Stream.iterate(rules.nextTransition(Instant.parse("1990-01-01T00:00:00Z")),
				(change) -> change != null && change.getInstant().isBefore(Instant.parse("2041-01-01T00:00:00Z")),
				(change) -> rules.nextTransition(change.getInstant()));
	}

	private static void assertCovered(Alignment alignment, long time) {
		long begin = alignment.begin(time);
		long end = alignment.end(time);
		boolean covered = begin <= time && time < end && alignment.begin(end) == end && alignment.end(begin) == end
				&& alignment.begin(end - 1) == begin;
		assertThat(covered).as("%s at %s, in [%s, %s)", alignment, instant(time), instant(begin), instant(end))
			.isTrue();
	}

	private static void assertWindow(Alignment.Unit unit, String zone, Instant time, Instant begin, Instant end) {
		Alignment alignment = new Alignment(unit, ZoneId.of(zone));
		assertThat(instant(alignment.begin(micros(time)))).isEqualTo(begin);
		assertThat(instant(alignment.end(micros(time)))).isEqualTo(end);
	}

	private static long micros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

	private static Instant instant(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

}
