package io.github.ratelimit.spring.control;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.ControlStore.Text;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The text in which a store keeps a control: form fields, of which {@code v} is the
 * version. A text of another version or with other fields is not read, rather than
 * misread.
 */
final class ControlText {

	private static final String VERSION = "1";

	/** The most characters of a control that is set, as there may be thousands. */
	private static final int LONGEST = 4_000;

	/** The characters with which an identifier would begin a line of the log. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

	private ControlText() {
	}

	/** Returns a control as text. */
	static String write(ActiveControl active) {
		Control control = active.control();
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		fields.put("v", VERSION);
		fields.put("kind", control.kind());
		fields.put("since", active.since());
		fields.put("from", active.from());
		fields.put("until", active.until());
		fields.put("origin", active.origin().source().word());
		fields.put("by", active.origin().name());
		fields.put("reason", active.origin().reason());
		fields.put("policy", control.policy());
		fields.put((control instanceof Block) ? "caller" : "key", control.subject());
		fields.putAll(control.effect());
		return fields.entrySet()
			.stream()
			.filter((field) -> field.getValue() != null)
			.map((field) -> field.getKey() + '=' + encoded(field.getValue()))
			.collect(Collectors.joining("&"));
	}

	/** Returns a control as stores keep it. */
	static Text of(ActiveControl active) {
		return new Text(write(active), active.until());
	}

	/**
	 * Requires that the text of a control is not too long.
	 * @throws IllegalArgumentException if it is
	 */
	static void requireShort(ActiveControl active) {
		int length = write(active).length();
		if (length > LONGEST) {
			throw new IllegalArgumentException(
					"a control takes up at most " + LONGEST + " characters, but this takes up " + length);
		}
	}

	/**
	 * Returns an identifier, which anything may have written to the store, in one line.
	 */
	static String printable(String id) {
		return UNPRINTABLE.matcher(id).replaceAll("?");
	}

	/**
	 * Reads a control.
	 * @throws IllegalArgumentException if the text is not of this version
	 */
	static ActiveControl read(String text) {
		Map<String, String> fields = new HashMap<>();
		for (String field : text.split("&", -1)) {
			int name = field.indexOf('=');
			if (name > 0) {
				fields.put(field.substring(0, name),
						URLDecoder.decode(field.substring(name + 1), StandardCharsets.UTF_8));
			}
		}
		return read(fields);
	}

	private static ActiveControl read(Map<String, String> fields) {
		if (!VERSION.equals(fields.remove("v"))) {
			throw new IllegalArgumentException("a control of another version");
		}
		Instant since = Instant.parse(required("since", fields));
		String from = fields.remove("from");
		String until = fields.remove("until");
		Origin origin = origin(fields);
		return new ActiveControl(ControlFields.withoutTime(required("kind", fields), fields).control(), origin, since,
				(from != null) ? Instant.parse(from) : null, (until != null) ? Instant.parse(until) : null);
	}

	private static Origin origin(Map<String, String> fields) {
		String source = required("origin", fields);
		String name = fields.remove("by");
		String reason = fields.remove("reason");
		return switch (source) {
			case "operator" -> Origin.operator(name, reason);
			case "penalty" -> Origin.PENALTY;
			case "upstream" -> Origin.UPSTREAM;
			case "application" -> Origin.APPLICATION;
			default -> throw new IllegalArgumentException("a control of another origin");
		};
	}

	private static String required(String name, Map<String, String> fields) {
		String value = fields.remove(name);
		if (value == null) {
			throw new IllegalArgumentException("a control without " + name);
		}
		return value;
	}

	private static String encoded(@Nullable Object value) {
		String text = (value instanceof List<?> several) ? StringUtils.collectionToCommaDelimitedString(several)
				: String.valueOf(value);
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

}
