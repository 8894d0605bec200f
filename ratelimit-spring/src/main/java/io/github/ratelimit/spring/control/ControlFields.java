package io.github.ratelimit.spring.control;

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
import java.util.stream.Stream;

import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * The fields of a control, as operators write them and stores keep them. A field that
 * cannot be read is an {@link IllegalArgumentException} whose message has the field, the
 * value and an example.
 */
public final class ControlFields {

	private static final String FROM = "from";

	private static final String DURATION = "duration";

	private static final String UNTIL = "until";

	private static final String FOR = "for";

	private static final String EVER = "ever";

	private static final String REASON = "reason";

	/** The most characters of a reason. */
	private static final int LONGEST_REASON = 200;

	private static final String TIME_EXAMPLE = "2026-11-26T00:00[Europe/Berlin]";

	private static final Map<String, String> EXAMPLES = Map.of(DURATION, "10m", UNTIL, TIME_EXAMPLE, FOR, EVER);

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	/** A local time, and a zone, an offset or both. */
	private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
		.append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
		.appendPattern("[XXXXX]['['VV']']")
		.toFormatter(Locale.ROOT);

	private final Kind kind;

	private final List<String> ends;

	private final Map<String, ? extends @Nullable Object> values;

	private ControlFields(Kind kind, List<String> ends, Map<String, ? extends @Nullable Object> values) {
		this.kind = kind;
		this.ends = ends;
		this.values = values;
		for (String name : values.keySet()) {
			if (!kind.names.contains(name) && !ends.contains(name) && !name.equals(REASON)
					&& (ends.isEmpty() || !name.equals(FROM))) {
				throw refusal(name, "unknown");
			}
		}
	}

	/**
	 * Returns the fields of a control and its time.
	 * @param kind the kind of control
	 * @param values the values by the names of the fields, {@code null} for a missing one
	 * @return the fields
	 * @throws IllegalArgumentException if there is no such kind, or it has no such field
	 */
	public static ControlFields of(String kind, Map<String, ? extends @Nullable Object> values) {
		Kind known = Kind.of(kind);
		return new ControlFields(known, known.ends, values);
	}

	/**
	 * Returns the fields of a control without its time.
	 * @throws IllegalArgumentException if there is no such kind, or it has no such field
	 */
	static ControlFields withoutTime(String kind, Map<String, String> values) {
		return new ControlFields(Kind.of(kind), List.of(), values);
	}

	/**
	 * Reads the control.
	 * @return the control
	 * @throws IllegalArgumentException if a field is missing or unreadable
	 */
	public Control control() {
		return this.kind.reader.apply(this);
	}

	/**
	 * Reads why the control is set.
	 * @return the reason; {@code null} if it is missing
	 * @throws IllegalArgumentException if it is too long
	 */
	public @Nullable String reason() {
		String reason = text(REASON);
		if (reason != null && reason.length() > LONGEST_REASON) {
			throw new IllegalArgumentException(
					"the field 'reason' has " + reason.length() + " characters: write at most " + LONGEST_REASON);
		}
		return reason;
	}

	/**
	 * Reads the begin of the control, if it is stated, and the one end, which an operator
	 * who forgets it did not choose.
	 * @return the time, that of a reset if the kind has none
	 * @throws IllegalArgumentException if there is no end, several or an unreadable time,
	 * or the end is not after the begin
	 */
	public ControlTime time() {
		return this.ends.isEmpty() ? ControlTime.OF_RESET : end().from((text(FROM) != null) ? time(FROM) : null);
	}

	private ControlTime end() {
		List<String> stated = this.ends.stream().filter((name) -> text(name) != null).toList();
		if (stated.size() != 1) {
			throw new IllegalArgumentException(
					(stated.isEmpty() ? "the end of the control is missing" : "a control has one end, but " + stated)
							+ ": write one of " + this.ends.stream().map(ControlFields::example).toList());
		}
		return switch (stated.get(0)) {
			case DURATION -> ControlTime.lasting(duration(required(DURATION)));
			case UNTIL -> ControlTime.until(time(UNTIL));
			default -> read(FOR, ControlFields::ever, "write " + example(FOR) + ", or " + example(DURATION));
		};
	}

	private Instant time(String name) {
		return read(name, (time) -> ZonedDateTime.parse(time, TIME).toInstant(),
				"write an instant, such as 2026-11-25T23:00:00Z, or a local time and its zone, such as "
						+ TIME_EXAMPLE);
	}

	private static String example(String end) {
		return '"' + end + "\": \"" + EXAMPLES.get(end) + '"';
	}

	private static ControlTime ever(String text) {
		if (!text.equals(EVER)) {
			throw new IllegalArgumentException("not for ever");
		}
		return ControlTime.EVER;
	}

	/** Requires a unit, as it is easily forgotten and the time then far too short. */
	private Duration duration(String text) {
		if (NUMBER.matcher(text).matches()) {
			throw new IllegalArgumentException(
					"the duration '" + text + "' has no unit: write " + text + "s for seconds, or use ms, m, h or d");
		}
		return read(DURATION, DurationFormatterUtils::detectAndParse,
				"write numbers and their units (d, h, m, s, ms), such as 10m or 14h30m");
	}

	/** Returns the name of the policy, of which there are few and maybe many controls. */
	private String policy() {
		return required("policy").intern();
	}

	private String key() {
		return required("key");
	}

	/** Returns limits that are separated by commas. */
	private List<String> limits() {
		return Arrays.stream(StringUtils.commaDelimitedListToStringArray(text("limits"))).map(String::strip).toList();
	}

	/** Returns the constant of a word, in any case, or null if the field is missing. */
	private <T extends Enum<T>> @Nullable T word(String name, Class<T> type) {
		return optional(name, (word) -> Enum.valueOf(type, word.strip().toUpperCase(Locale.ROOT)),
				"write one of " + words(type));
	}

	private static String words(Class<? extends Enum<?>> type) {
		return Stream.of(type.getEnumConstants()).map(ControlFields::word).collect(Collectors.joining(", "));
	}

	private static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	private <T> @Nullable T optional(String name, Function<String, T> reader, String fix) {
		return (text(name) != null) ? read(name, reader, fix) : null;
	}

	private <T> T read(String name, Function<String, T> reader, String fix) {
		String text = required(name);
		try {
			return reader.apply(text);
		}
		catch (IllegalArgumentException | ArithmeticException | DateTimeException ex) {
			throw new IllegalArgumentException("the field '" + name + "' is '" + text + "', which it cannot be: " + fix,
					ex);
		}
	}

	private String required(String name) {
		String text = text(name);
		if (text == null) {
			throw refusal(name, "missing");
		}
		return text;
	}

	private @Nullable String text(String name) {
		Object value = this.values.get(name);
		return (value instanceof Collection<?> several) ? StringUtils.collectionToCommaDelimitedString(several)
				: Objects.toString(value, null);
	}

	private IllegalArgumentException refusal(String name, String reason) {
		return new IllegalArgumentException("the field '" + name + "' is " + reason + ": the fields of '"
				+ word(this.kind) + "' are " + String.join(", ", this.kind.names) + (this.ends.isEmpty() ? ""
						: ", and one of " + String.join(", ", this.ends) + "; 'from' to begin later"));
	}

	/**
	 * A kind of control: its fields, the fields of which one states its end, and how to
	 * read it.
	 */
	private enum Kind {

		RESET(List.of("policy", "key"), List.of(), (from) -> new Reset(from.policy(), from.key())),

		ERASE(List.of("policy", "key"), List.of(), (from) -> new Reset(from.policy(), from.key())),

		BAN(List.of("policy", "key"), List.of(DURATION, UNTIL, FOR), (from) -> new Ban(from.policy(), from.key())),

		BLOCK(List.of("caller"), List.of(DURATION, UNTIL, FOR), (from) -> new Block(from.required("caller"))),

		LIMITS(List.of("policy", "key", "limits"), List.of(DURATION, UNTIL, FOR), (from) -> {
			from.required("limits");
			return new Limits(from.policy(), from.key(), from.limits());
		}),

		GRANT(List.of("policy", "key", "permits"), List.of(DURATION, UNTIL),
				(from) -> new Grant(from.policy(), from.key(),
						from.read("permits", Long::parseLong, "write a whole number, such as 50"))),

		PAUSE(List.of("policy", "key"), List.of(DURATION, UNTIL), (from) -> new Pause(from.policy(), from.key())),

		CHANGE(List.of("policy", "limits", "mode", "enforce", "onStoreFailure"), List.of(DURATION, UNTIL, FOR),
				(from) -> new Change(from.policy(), from.limits(), from.word("mode", EnforcementMode.class),
						from.optional("enforce", EnforcedShare::of,
								"write a whole percentage from 0% to 100%, such as \"10%\""),
						from.word("onStoreFailure", OnStoreFailure.class)));

		private final List<String> names;

		private final List<String> ends;

		private final Function<ControlFields, Control> reader;

		Kind(List<String> names, List<String> ends, Function<ControlFields, Control> reader) {
			this.names = names;
			this.ends = ends;
			this.reader = reader;
		}

		static Kind of(String word) {
			return Stream.of(values())
				.filter((kind) -> word(kind).equals(word))
				.findAny()
				.orElseThrow(() -> new IllegalArgumentException(
						"there is no such control; a control is " + words(Kind.class)));
		}

	}

}
