package io.github.ratelimit.spring.actuate;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.spring.control.ControlEnd;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * The fields of a control as an operator writes them. A field that cannot be read is an
 * {@link IllegalArgumentException} whose message has the field, the value and an example.
 *
 * @param values the values by the names of the fields, {@code null} for a missing one
 */
record ControlFields(Map<String, ? extends @Nullable Object> values) {

	static final String DURATION = "duration";

	static final String UNTIL = "until";

	static final String FOR = "for";

	private static final String EVER = "ever";

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	/** A local time, and a zone, an offset or both. */
	private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
		.append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
		.optionalStart()
		.appendOffsetId()
		.optionalEnd()
		.optionalStart()
		.appendLiteral('[')
		.parseCaseSensitive()
		.appendZoneRegionId()
		.appendLiteral(']')
		.optionalEnd()
		.toFormatter(Locale.ROOT);

	/**
	 * Requires that there are no other fields than known ones.
	 * @param form the known fields, for the message
	 */
	void requireOnly(Collection<String> known, String form) {
		this.values.keySet()
			.stream()
			.filter((name) -> !known.contains(name))
			.findFirst()
			.ifPresent((name) -> requireNone(name, form));
	}

	/**
	 * Requires that there is no field of a name.
	 * @param reason why there cannot be one, for the message
	 */
	void requireNone(String name, String reason) {
		if (this.values.containsKey(name)) {
			throw new IllegalArgumentException("the field '" + name + "' is unknown: " + reason);
		}
	}

	/**
	 * Returns the text of a field.
	 * @param form the fields that there have to be, for the message
	 */
	String required(String name, String form) {
		String text = text(name);
		if (text == null) {
			throw new IllegalArgumentException("the field '" + name + "' is missing: " + form);
		}
		return text;
	}

	@Nullable String text(String name) {
		Object value = this.values.get(name);
		return (value instanceof Collection<?> several) ? StringUtils.collectionToCommaDelimitedString(several)
				: Objects.toString(value, null);
	}

	/** Returns texts that are separated by commas, none if the field is missing. */
	List<String> texts(String name) {
		String text = text(name);
		return (text == null) ? List.of()
				: Arrays.stream(StringUtils.commaDelimitedListToStringArray(text)).map(String::strip).toList();
	}

	/** Returns a whole number. */
	long number(String name, String form) {
		String text = required(name, form);
		return read(name, text, Long::parseLong, "write a whole number, such as 50");
	}

	/** Returns the constant of a word, in any case, or null if the field is missing. */
	<T extends Enum<T>> @Nullable T word(String name, Class<T> type) {
		String text = text(name);
		return (text == null) ? null
				: read(name, text, (word) -> Enum.valueOf(type, word.strip().toUpperCase(Locale.ROOT)),
						"write one of " + Arrays.stream(type.getEnumConstants())
							.map((constant) -> constant.name().toLowerCase(Locale.ROOT))
							.collect(Collectors.joining(", ")));
	}

	/** Returns a share of keys, or null if the field is missing. */
	@Nullable EnforcedShare share(String name) {
		String text = text(name);
		return (text == null) ? null
				: read(name, text, EnforcedShare::of, "write a whole percentage from 0% to 100%, such as \"10%\"");
	}

	/**
	 * Returns the one end of the control, which an operator who forgets it did not
	 * choose.
	 * @param ends the fields that may state it
	 */
	ControlEnd end(List<String> ends) {
		List<String> stated = ends.stream().filter((name) -> text(name) != null).toList();
		if (stated.size() != 1) {
			throw new IllegalArgumentException(
					(stated.isEmpty() ? "the end of the control is missing" : "a control has one end, but " + stated)
							+ ": write one of " + ends.stream().map(ControlFields::example).toList());
		}
		String name = stated.get(0);
		String text = Objects.requireNonNull(text(name));
		return switch (name) {
			case DURATION -> ControlEnd.after(duration(text));
			case UNTIL -> ControlEnd.at(time(text));
			default -> read(name, text, ControlFields::ever, "write " + example(FOR) + ", or " + example(DURATION));
		};
	}

	private static String example(String end) {
		return switch (end) {
			case DURATION -> "\"duration\": \"10m\"";
			case UNTIL -> "\"until\": \"2026-11-26T00:00[Europe/Berlin]\"";
			default -> "\"for\": \"ever\"";
		};
	}

	private static ControlEnd ever(String text) {
		if (!text.equals(EVER)) {
			throw new IllegalArgumentException("not for ever");
		}
		return ControlEnd.NEVER;
	}

	/** Requires a unit, as it is easily forgotten and the time then far too short. */
	private static Duration duration(String text) {
		if (NUMBER.matcher(text).matches()) {
			throw new IllegalArgumentException(
					"the duration '" + text + "' has no unit: write " + text + "s for seconds, or use ms, m, h or d");
		}
		return read(DURATION, text, DurationFormatterUtils::detectAndParse,
				"write numbers and their units (d, h, m, s, ms), such as 10m or 14h30m");
	}

	private static Instant time(String text) {
		return read(UNTIL, text, (time) -> ZonedDateTime.parse(time, TIME).toInstant(),
				"write an instant, such as 2026-11-25T23:00:00Z, or a local time and its zone, such as "
						+ "2026-11-26T00:00[Europe/Berlin]");
	}

	private static <T> T read(String name, String text, Function<String, T> reader, String fix) {
		try {
			return reader.apply(text);
		}
		catch (IllegalArgumentException | ArithmeticException | DateTimeException ex) {
			throw new IllegalArgumentException("the field '" + name + "' is '" + text + "', which it cannot be: " + fix,
					ex);
		}
	}

}
