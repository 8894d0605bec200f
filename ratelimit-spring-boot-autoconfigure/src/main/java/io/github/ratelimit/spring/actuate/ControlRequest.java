package io.github.ratelimit.spring.actuate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.ControlEnd;

import static io.github.ratelimit.spring.actuate.ControlFields.DURATION;
import static io.github.ratelimit.spring.actuate.ControlFields.FOR;
import static io.github.ratelimit.spring.actuate.ControlFields.UNTIL;

/**
 * A request of an operator for a control.
 *
 * @param control the control
 * @param end its end, never for a reset, which has none
 */
record ControlRequest(Control control, ControlEnd end) {

	/**
	 * Reads a request.
	 * @throws IllegalArgumentException if there is no such kind, or a field is missing,
	 * unknown or unreadable
	 */
	static ControlRequest read(String kind, ControlFields fields) {
		Kind known = Kind.of(kind);
		String form = known.form();
		fields.requireOnly(known.all(), form);
		Control control = switch (known) {
			case RESET -> new Reset(fields.required("policy", form), fields.required("key", form));
			case BAN -> new Ban(fields.required("policy", form), fields.required("key", form));
			case BLOCK -> new Block(fields.required("caller", form));
			case LIMITS -> {
				fields.required("limits", form);
				yield new Limits(fields.required("policy", form), fields.required("key", form), fields.texts("limits"));
			}
			case GRANT -> new Grant(fields.required("policy", form), fields.required("key", form),
					fields.number("permits", form));
			case PAUSE -> new Pause(fields.required("policy", form), fields.required("key", form));
			case CHANGE -> new Change(fields.required("policy", form), fields.texts("limits"),
					fields.word("mode", EnforcementMode.class), fields.share("enforce"),
					fields.word("onStoreFailure", OnStoreFailure.class));
		};
		return new ControlRequest(control, known.ends.isEmpty() ? ControlEnd.NEVER : fields.end(known.ends));
	}

	/** A kind of control that operators set. */
	private enum Kind {

		RESET(List.of("policy", "key"), List.of()),

		BAN(List.of("policy", "key"), List.of(DURATION, UNTIL, FOR)),

		BLOCK(List.of("caller"), List.of(DURATION, UNTIL, FOR)),

		LIMITS(List.of("policy", "key", "limits"), List.of(DURATION, UNTIL, FOR)),

		GRANT(List.of("policy", "key", "permits"), List.of(DURATION, UNTIL)),

		PAUSE(List.of("policy", "key"), List.of(DURATION, UNTIL)),

		CHANGE(List.of("policy", "limits", "mode", "enforce", "onStoreFailure"), List.of(DURATION, UNTIL, FOR));

		private final List<String> fields;

		private final List<String> ends;

		Kind(List<String> fields, List<String> ends) {
			this.fields = fields;
			this.ends = ends;
		}

		static Kind of(String word) {
			return Arrays.stream(values())
				.filter((kind) -> kind.word().equals(word))
				.findAny()
				.orElseThrow(() -> new IllegalArgumentException("there is no such control; a control is "
						+ Arrays.stream(values()).map(Kind::word).collect(Collectors.joining(", "))));
		}

		private String word() {
			return name().toLowerCase(Locale.ROOT);
		}

		List<String> all() {
			List<String> all = new ArrayList<>(this.fields);
			all.addAll(this.ends);
			return all;
		}

		/** Returns the fields as a message states them. */
		String form() {
			return "the fields of '" + word() + "' are " + String.join(", ", this.fields)
					+ (this.ends.isEmpty() ? "" : ", and one of " + String.join(", ", this.ends));
		}

	}

}
