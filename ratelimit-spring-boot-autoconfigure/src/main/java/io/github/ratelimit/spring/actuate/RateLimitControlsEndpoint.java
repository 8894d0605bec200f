package io.github.ratelimit.spring.actuate;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The endpoint {@code /actuator/ratelimitcontrols}, by which operators reset, ban and
 * grant, and change limits and policies, on all instances. Nobody has access unless it is
 * configured. Each change is logged and audited without the key.
 */
@Endpoint(id = "ratelimitcontrols", defaultAccess = Access.NONE)
public final class RateLimitControlsEndpoint {

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	private static final Log logger = LogFactory.getLog(RateLimitControlsEndpoint.class);

	private final Controls controls;

	private final ApplicationEventPublisher events;

	/**
	 * Creates an endpoint.
	 * @param controls the controls
	 * @param events the events of the application, among them audit events
	 */
	public RateLimitControlsEndpoint(Controls controls, ApplicationEventPublisher events) {
		this.controls = controls;
		this.events = events;
	}

	@ReadOperation
	Report report() {
		return new Report(this.controls.active().stream().map(ControlReport::of).toList(), this.controls.skipped());
	}

	/**
	 * Sets a control.
	 * @param kind {@code reset}, {@code ban}, {@code block}, {@code limits},
	 * {@code grant}, {@code pause} or {@code change}
	 */
	@WriteOperation
	@SuppressWarnings("checkstyle:ParameterNumber") // each is a field of the request
	WebEndpointResponse<Object> set(@Selector String kind, SecurityContext security, @Nullable String policy,
			@Nullable String key, @Nullable String caller, @Nullable List<String> limits, @Nullable Long permits,
			@Nullable EnforcementMode mode, @Nullable OnStoreFailure onStoreFailure, @Nullable String duration) {
		return answered(security, kind, details("policy", policy), () -> {
			if (kind.equals("reset")) {
				this.controls.reset(required("policy", policy), required("key", key));
				audit(security, "reset", Map.of("policy", required("policy", policy)));
				return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
			}
			List<String> texts = Objects.requireNonNullElse(limits, List.of());
			Control control = switch (kind) {
				case "ban" -> new Ban(required("policy", policy), required("key", key));
				case "block" -> new Block(required("caller", caller));
				case "limits" -> new Limits(required("policy", policy), required("key", key), texts);
				case "grant" ->
					new Grant(required("policy", policy), required("key", key), required("permits", permits));
				case "pause" -> new Pause(required("policy", policy), required("key", key));
				case "change" -> new Change(required("policy", policy), texts, mode, onStoreFailure);
				default -> throw new IllegalArgumentException(
						"a control is reset, ban, block, limits, grant, pause or change");
			};
			ActiveControl set = this.controls.set(control, time(duration), Origin.operator(name(security)));
			audit(security, kind, ControlAudit.details(set));
			return new WebEndpointResponse<>(ControlReport.of(set));
		});
	}

	@DeleteOperation
	WebEndpointResponse<Object> lift(@Selector String id, SecurityContext security) {
		return answered(security, "lift", details("id", id), () -> {
			ActiveControl lifted = this.controls.find(id);
			if (!this.controls.lift(id)) {
				return problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no control with this id");
			}
			audit(security, "lift", (lifted != null) ? ControlAudit.details(lifted) : Map.of("id", id));
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	/** Answers, and audits what may or may not have taken effect. */
	private WebEndpointResponse<Object> answered(SecurityContext security, String kind, Map<String, Object> known,
			Answer answer) {
		try {
			return answer.get();
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
		catch (RateLimitStoreException ex) {
			logger.debug("A control could not be set", ex);
			Map<String, Object> details = new LinkedHashMap<>(known);
			details.put("effect", "unknown");
			audit(security, kind, details);
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
					"the store does not reply: it is not known whether this took effect");
		}
	}

	private static Map<String, Object> details(String name, @Nullable String value) {
		return (value != null) ? Map.of(name, value) : Map.of();
	}

	private static WebEndpointResponse<Object> problem(int status, String detail) {
		return new WebEndpointResponse<>(Map.of("detail", detail), status);
	}

	/** Requires a unit, as it is easily forgotten and the time then far too short. */
	private static @Nullable Duration time(@Nullable String duration) {
		if (duration == null) {
			return null;
		}
		if (NUMBER.matcher(duration).matches()) {
			throw new IllegalArgumentException("the duration '" + duration + "' has no unit: write " + duration
					+ "s for seconds, or use ms, m, h or d");
		}
		return DurationStyle.detectAndParse(duration);
	}

	private static <T> T required(String name, @Nullable T value) {
		if (value == null) {
			throw new IllegalArgumentException("'" + name + "' is missing");
		}
		return value;
	}

	private void audit(SecurityContext security, String kind, Map<String, Object> data) {
		String name = Objects.requireNonNullElse(name(security), "anonymous");
		logger.info("Rate limits were controlled by " + name + ": " + kind + " " + data);
		this.events.publishEvent(ControlAudit.event(name, kind, data));
	}

	private static @Nullable String name(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? principal.getName() : null;
	}

	private interface Answer {

		WebEndpointResponse<Object> get();

	}

	record Report(List<ControlReport> controls, Map<String, String> skipped) {

	}

	record ControlReport(String id, String kind, Instant since, @Nullable Instant until, @Nullable String policy,
			@Nullable String subject, Map<String, Object> effect, String origin, @Nullable String by) {

		static ControlReport of(ActiveControl active) {
			Control control = active.control();
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
				effect.put("onStoreFailure", change.onStoreFailure());
				effect.values().removeIf((value) -> value == null || value.equals(List.of()));
			}
			return new ControlReport(active.id(), control.kind(), active.since(), active.until(), policy(control),
					subject(control), effect, active.origin().source().word(), active.origin().name());
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

}
