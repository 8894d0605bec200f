package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.ControlEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;

/**
 * The audit of controls, which contains digests of keys and never a key. It audits the
 * controls that a penalty sets and those that end. The endpoint audits what operators do.
 */
public final class ControlAudit {

	/** The principal of what no operator did. */
	private static final String LIMITER = "ratelimit";

	/** The details of a reset, which is over at once. */
	private static final Set<String> OF_RESET = Set.of("policy", "key", "reason");

	private final ApplicationEventPublisher events;

	/**
	 * Creates an audit.
	 * @param events receives the audit events
	 */
	public ControlAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	@EventListener
	void audit(ControlEvent event) {
		ActiveControl control = event.control();
		String kind = (event.kind() == ControlEvent.Kind.ENDED || control == null) ? "end" : control.control().kind();
		this.events.publishEvent(event(LIMITER, kind, (control != null) ? details(control) : Map.of("id", event.id())));
	}

	/** Returns an audit event. */
	static AuditApplicationEvent event(String principal, String kind, Map<String, ? extends @Nullable Object> data) {
		return new AuditApplicationEvent(principal, "RATE_LIMIT_" + kind.toUpperCase(Locale.ROOT),
				new LinkedHashMap<>(data));
	}

	/** Returns what a control is, without the key. */
	static Map<String, @Nullable Object> details(ActiveControl active) {
		ControlReport report = ControlReport.of(active);
		Map<String, @Nullable Object> details = new LinkedHashMap<>(report.effect());
		details.put("id", report.id());
		details.put("kind", report.kind());
		details.put("policy", report.policy());
		details.put("key", active.digest());
		details.put("since", report.since().toString());
		details.put("from", report.from());
		details.put("until", Objects.toString(report.until(), null));
		details.put("origin", report.origin());
		details.put("by", report.by());
		details.put("reason", report.reason());
		details.values().removeIf(Objects::isNull);
		if (active.control() instanceof Reset) {
			details.keySet().retainAll(OF_RESET);
		}
		return details;
	}

}
