package io.github.ratelimit.algorithm;

import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
