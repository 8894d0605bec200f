package io.github.ratelimit.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.ratelimit.pairs.Part.Source;
import io.github.ratelimit.pairs.Row.Door;
import io.github.ratelimit.pairs.Row.Event;
import io.github.ratelimit.pairs.Row.Feature;

/**
 * The configuration of a row's application.
 */
final class RowProperties {

	private static final String ROW = "ratelimit.policies.row.";

	private final Row row;

	private final List<String> properties = new ArrayList<>();

	private RowProperties(Row row) {
		this.row = row;
	}

	/** Returns properties with values. */
	static String[] of(Row row) {
		RowProperties properties = new RowProperties(row);
		properties.policies();
		properties.feature();
		properties.event();
		properties.rules();
		return properties.properties.toArray(String[]::new);
	}

	private void policies() {
		set("ratelimit.events.enabled", "true");
		set("ratelimit.consumption.show-keys", "true");
		set("ratelimit.checks.ignore", "unused-policy,unshared-controls");
		set("ratelimit.policies.other.limits", "100/30d");
		set("ratelimit.policies.other.key", "header:X-Caller");
		set(ROW + "key", this.row.door().key());
		if (this.row.feature() == Feature.SHARES) {
			set("ratelimit.policies.base.limits", this.row.kind().limit(10));
			set("ratelimit.policies.base.key", "header:X-Caller");
			set(ROW + "shares", "base");
			set(ROW + "reserve", "20%");
		}
		else {
			set(ROW + "limits", this.row.kind().limit(10));
		}
	}

	private void feature() {
		switch (this.row.feature()) {
			case NONE, OVERRIDE, SHARES, GRANT -> {
			}
			case PLAN -> {
				set(ROW + "plan", "header:X-Plan");
				set(ROW + "plans.premium", this.row.kind().limit(14));
			}
			case SCHEDULE -> set(ROW + "schedules[0].limits", this.row.kind().limit(18));
			case CANDIDATE -> set(ROW + "candidate", this.row.kind().limit(4));
			case SHADOW -> set(ROW + "mode", "shadow");
			case SHADOW_FOR_ALL -> set("ratelimit.mode", "shadow");
			case ENFORCED_SHARE -> set(ROW + "enforce", "60%");
			case OFF -> set(ROW + "mode", "off");
			case EXEMPT -> set(ROW + "exempt", "header:X-Caller:alice");
			case CLAMP -> {
				set(ROW + "max-cost", "1");
				set(ROW + "above-max-cost", "clamp");
			}
			case MAX_WAIT -> set(ROW + "max-wait", (this.row.event() == Event.WAITS) ? "10s" : "20ms");
			case PREFETCH -> set(ROW + "prefetch", "4");
			case PENALTY -> set(ROW + "penalty.after", "1/1m");
		}
	}

	private void event() {
		Event event = this.row.event();
		if (event.isStoreFailure()) {
			set("ratelimit.on-store-failure", event.name().substring("STORE_FAILS_".length()).toLowerCase(Locale.ROOT));
		}
		if (event == Event.BLOCKED) {
			set(ROW + "blocked", "header:X-Caller:mallory");
		}
	}

	private void rules() {
		for (Part part : this.row.door().parts()) {
			if (part.source() == Source.RULE) {
				set("ratelimit.rules[0].paths", "/row");
				set("ratelimit.rules[0].policies", part.policy());
				if (this.row.door() == Door.EARLY_RULE) {
					set("ratelimit.rules[0].phase", "before-security");
				}
				if (part.isVaried()) {
					set("ratelimit.rules[0].cost", "2");
					outcome();
				}
			}
		}
	}

	private void outcome() {
		switch (this.row.outcome()) {
			case ACTUAL -> set("ratelimit.rules[0].actual", "1");
			case CHARGE_WHEN -> set("ratelimit.rules[0].charge-when", "#response.status == 409");
			case REFUND_WHEN -> set("ratelimit.rules[0].refund-when", "#response.status == 409");
			default -> {
			}
		}
	}

	private void set(String name, String value) {
		this.properties.add(name + "=" + value);
	}

}
