package io.github.ratelimit.spring.actuate;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Controls.Replacement;
import org.jspecify.annotations.Nullable;

/**
 * A control in effect, as the endpoints show it.
 *
 * @param id the identifier, by which it can be lifted
 * @param kind the kind
 * @param since the time it was set
 * @param until the time it ends, or {@code null} for never
 * @param policy the policy, or {@code null} for all
 * @param subject the key or caller, or {@code null} for everyone
 * @param effect what it sets
 * @param origin who set it: {@code operator}, {@code penalty}, {@code upstream} or
 * {@code application}
 * @param by the operator's name, if known
 * @param replaced the control that it has just replaced, or {@code null}
 */
@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each member of the JSON
record ControlReport(String id, String kind, Instant since, @Nullable Instant until, @Nullable String policy,
		@Nullable String subject, Map<String, Object> effect, String origin, @Nullable String by,
		@Nullable ControlReport replaced) {

	static ControlReport of(ActiveControl active) {
		return of(active, effect(active.control()), null);
	}

	static ControlReport of(Replacement set) {
		ActiveControl replaced = set.replaced();
		return of(set.control(), effect(set.control().control()), (replaced != null) ? of(replaced) : null);
	}

	/** Returns the report of a grant and of how many of its permits are left. */
	static ControlReport ofGrant(ActiveControl active, long left) {
		Map<String, Object> effect = effect(active.control());
		effect.put("left", left);
		return of(active, effect, null);
	}

	private static ControlReport of(ActiveControl active, Map<String, Object> effect,
			@Nullable ControlReport replaced) {
		Control control = active.control();
		return new ControlReport(active.id(), control.kind(), active.since(), active.until(), policy(control),
				subject(control), effect, active.origin().source().word(), active.origin().name(), replaced);
	}

	private static Map<String, Object> effect(Control control) {
		Map<String, Object> effect = new LinkedHashMap<>();
		if (control instanceof Limits own) {
			effect.put("limits", own.limits());
		}
		if (control instanceof Grant grant) {
			effect.put("permits", grant.permits());
		}
		if (control instanceof Change change) {
			effect.put("limits", change.limits());
			effect.put("mode", change.mode());
			effect.put("enforce", (change.enforce() != null) ? change.enforce().toString() : null);
			effect.put("onStoreFailure", change.onStoreFailure());
			effect.values().removeIf((value) -> value == null || value.equals(List.of()));
		}
		return effect;
	}

	private static @Nullable String policy(Control control) {
		if (control instanceof Change change) {
			return change.policy();
		}
		return (control instanceof Control.OfKey ofKey) ? ofKey.policy() : null;
	}

	private static @Nullable String subject(Control control) {
		if (control instanceof Block block) {
			return block.caller();
		}
		return (control instanceof Control.OfKey ofKey) ? ofKey.key() : null;
	}

}
