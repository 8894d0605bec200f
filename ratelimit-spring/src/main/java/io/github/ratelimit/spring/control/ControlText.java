package io.github.ratelimit.spring.control;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import org.jspecify.annotations.Nullable;

/**
 * The text in which a store keeps a control: form fields, of which {@code v} is the
 * version. A text of another version or with other fields is not read, rather than
 * misread.
 */
final class ControlText {

	private static final String VERSION = "1";

	private static final String SEPARATOR = ",";

	/** The most characters of a control that is set, as there may be thousands. */
	private static final int LONGEST = 4_000;

	/** The characters with which an identifier would begin a line of the log. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

	private final Map<String, String> fields;

	private ControlText(Map<String, String> fields) {
		this.fields = fields;
	}

	/** Returns a control as text. */
	static String write(ActiveControl active) {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("v", VERSION);
		fields.put("kind", active.control().kind());
		fields.put("since", active.since());
		fields.put("until", active.until());
		fields.put("origin", active.origin().source().word());
		fields.put("by", active.origin().name());
		write(active.control(), fields);
		fields.values().removeIf(Objects::isNull);
		return fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + '=' + encoded(field.getValue()))
			.collect(Collectors.joining("&"));
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

	private static void write(Control control, Map<String, Object> fields) {
		if (control instanceof Block block) {
			fields.put("caller", block.caller());
		}
		if (control instanceof Change change) {
			fields.put("policy", change.policy());
			fields.put("limits", joined(change.limits()));
			fields.put("mode", change.mode());
			fields.put("enforce", change.enforce());
			fields.put("on-store-failure", change.onStoreFailure());
		}
		if (control instanceof Control.OfKey ofKey) {
			fields.put("policy", ofKey.policy());
			fields.put("key", ofKey.key());
			fields.put("permits", (ofKey instanceof Grant grant) ? grant.permits() : null);
			fields.put("limits", (ofKey instanceof Control.Limits given) ? joined(given.limits()) : null);
		}
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
		return new ControlText(fields).read();
	}

	private ActiveControl read() {
		if (!VERSION.equals(this.fields.remove("v"))) {
			throw new IllegalArgumentException("a control of another version");
		}
		Instant since = Instant.parse(required("since"));
		String until = this.fields.remove("until");
		ActiveControl active = new ActiveControl(control(), origin(), since,
				(until != null) ? Instant.parse(until) : null);
		if (!this.fields.isEmpty()) {
			throw new IllegalArgumentException("a control with other fields");
		}
		return active;
	}

	private Origin origin() {
		String source = required("origin");
		String name = this.fields.remove("by");
		return switch (source) {
			case "operator" -> Origin.operator(name);
			case "penalty" -> Origin.PENALTY;
			case "upstream" -> Origin.UPSTREAM;
			case "application" -> Origin.APPLICATION;
			default -> throw new IllegalArgumentException("a control of another origin");
		};
	}

	private Control control() {
		String kind = required("kind");
		return switch (kind) {
			case "ban" -> new Ban(policy(), required("key"));
			case "block" -> new Block(required("caller"));
			case "limits" -> new Control.Limits(policy(), required("key"), limits());
			case "grant" -> new Grant(policy(), required("key"), Long.parseLong(required("permits")));
			case "pause" -> new Pause(policy(), required("key"));
			case "reset" -> new Reset(policy(), required("key"));
			case "change" -> new Change(policy(), limits(), optional("mode", EnforcementMode.class), enforced(),
					optional("on-store-failure", OnStoreFailure.class));
			default -> throw new IllegalArgumentException("a control of another kind");
		};
	}

	private String required(String name) {
		String value = this.fields.remove(name);
		if (value == null) {
			throw new IllegalArgumentException("a control without " + name);
		}
		return value;
	}

	/** Returns the name of the policy, of which there are few and maybe many controls. */
	private String policy() {
		return required("policy").intern();
	}

	private <T extends Enum<T>> @Nullable T optional(String name, Class<T> type) {
		String value = this.fields.remove(name);
		return (value != null) ? Enum.valueOf(type, value) : null;
	}

	private @Nullable EnforcedShare enforced() {
		String share = this.fields.remove("enforce");
		return (share != null) ? EnforcedShare.of(share) : null;
	}

	private List<String> limits() {
		String limits = this.fields.remove("limits");
		return (limits != null) ? List.of(limits.split(SEPARATOR, -1)) : List.of();
	}

	private static @Nullable String joined(List<String> limits) {
		return limits.isEmpty() ? null : String.join(SEPARATOR, limits);
	}

	private static String encoded(Object value) {
		return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
	}

}
