package io.github.ratelimit.spring.actuate;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.ActiveControl.Replacement;
import io.github.ratelimit.spring.control.Control;
import org.jspecify.annotations.Nullable;

/**
 * A control, as the endpoints show it. Like all reports, it is public and has times as
 * texts, so that any JSON library can write it.
 *
 * @param id the identifier, by which it can be lifted
 * @param kind the kind
 * @param since the time it was set
 * @param from the time it begins, or {@code null} if it began when it was set
 * @param until the time it ends, or {@code null} for never
 * @param policy the policy, or {@code null} for all
 * @param subject the key or caller, or {@code null} for everyone
 * @param effect what it sets
 * @param origin who set it: {@code operator}, {@code penalty}, {@code upstream} or
 * {@code application}
 * @param by the operator's name, if known
 * @param reason why the operator set it, if that was said
 * @param replaced the control that it has just replaced, or {@code null}
 */
@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each member of the JSON
public record ControlReport(String id, String kind, String since, @Nullable String from, @Nullable String until,
		@Nullable String policy, @Nullable String subject, Map<String, @Nullable Object> effect, String origin,
		@Nullable String by, @Nullable String reason, @Nullable ControlReport replaced) {

	static ControlReport of(ActiveControl active) {
		return of(active, active.control().effect(), null);
	}

	static ControlReport of(Replacement set) {
		ActiveControl replaced = set.replaced();
		return of(set.control(), set.control().control().effect(), (replaced != null) ? of(replaced) : null);
	}

	/** Returns the report of a grant and of how many of its permits are left. */
	static ControlReport ofGrant(ActiveControl active, long left) {
		Map<String, @Nullable Object> effect = new LinkedHashMap<>(active.control().effect());
		effect.put("left", left);
		return of(active, effect, null);
	}

	private static ControlReport of(ActiveControl active, Map<String, @Nullable Object> effect,
			@Nullable ControlReport replaced) {
		Control control = active.control();
		return new ControlReport(active.id(), control.kind(), active.since().toString(), text(active.from()),
				text(active.until()), control.policy(), control.subject(), effect, active.origin().source().word(),
				active.origin().name(), active.origin().reason(), replaced);
	}

	private static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? time.toString() : null;
	}

	/** Returns this report with the digest of a key in place of it. */
	ControlReport withoutKey(String key) {
		return !key.equals(this.subject) ? this
				: new ControlReport(this.id, this.kind, this.since, this.from, this.until, this.policy,
						KeyDigest.inPlaceOf(key), this.effect, this.origin, this.by, this.reason, this.replaced);
	}

	/** Returns this report without what the operator said, and who that is. */
	ControlReport withoutName() {
		return new ControlReport(this.id, this.kind, this.since, this.from, this.until, this.policy, this.subject,
				this.effect, this.origin, null, null, this.replaced);
	}

}
