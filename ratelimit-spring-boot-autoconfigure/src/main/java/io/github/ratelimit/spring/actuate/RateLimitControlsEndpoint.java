package io.github.ratelimit.spring.actuate;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.ActiveControl.Outcome;
import io.github.ratelimit.spring.control.ActiveControl.Replacement;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The endpoint {@code /actuator/ratelimitcontrols}, by which operators reset, ban and
 * grant, and change limits and policies, on all instances. Nobody has access unless it is
 * configured. Each change is logged and audited without the key. It is not offered over
 * JMX.
 */
@WebEndpoint(id = "ratelimitcontrols", defaultAccess = Access.NONE)
public final class RateLimitControlsEndpoint {

	static final EndpointId ID = EndpointId.of("ratelimitcontrols");

	/** The parameter for the kind of control, which is in the path. */
	static final String KIND = "control";

	private static final Log logger = LogFactory.getLog(RateLimitControlsEndpoint.class);

	/** The characters with which a name or a field would begin a line of the log. */
	private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

	private final Controls controls;

	private final ApplicationEventPublisher events;

	private final @Nullable DryRun dryRun;

	/**
	 * Creates an endpoint.
	 * @param controls the controls
	 * @param events the events of the application, among them audit events
	 * @param dryRun the dry run of requests; {@code null} for none
	 */
	public RateLimitControlsEndpoint(Controls controls, ApplicationEventPublisher events, @Nullable DryRun dryRun) {
		this.controls = controls;
		this.events = events;
		this.dryRun = dryRun;
	}

	@ReadOperation
	Report report() {
		return new Report(reports(this.controls.active()), reports(this.controls.waiting()), this.controls.skipped());
	}

	private static List<ControlReport> reports(List<ActiveControl> controls) {
		return controls.stream().map(ControlReport::of).toList();
	}

	/**
	 * Sets a control, or runs a request dry if the path is {@code explain}.
	 * @param control the path, which is {@code reset}, {@code erase}, {@code ban},
	 * {@code block}, {@code limits}, {@code grant}, {@code pause} or {@code change}. A
	 * selector of all that remains, as a field of the request would take the place of
	 * another
	 * @param fields all fields of the request, which {@link ControlFieldsAdvisor} passes
	 */
	@WriteOperation
	@RegisterReflectionForBinding({ OutcomeReport.class, DryRun.Report.class })
	WebEndpointResponse<Object> set(@Selector(match = Match.ALL_REMAINING) String[] control, SecurityContext security,
			AllFields fields) {
		String kind = String.join("/", control);
		return (this.dryRun != null && kind.equals("explain"))
				? RateLimitsEndpoint.answered(() -> this.dryRun.of(fields.values()))
				: set(kind, security, fields.values());
	}

	private WebEndpointResponse<Object> set(String kind, SecurityContext security,
			Map<String, ? extends @Nullable Object> values) {
		return answered(security, kind, () -> command(kind, values), () -> {
			if (values.containsKey(KIND)) {
				throw new IllegalArgumentException(
						"the field '" + KIND + "' is unknown: the kind of control is the end of the path");
			}
			ControlRequest request = ControlRequest.of(kind, values, this.controls::policiesOf);
			List<Outcome> outcomes = Stream
				.concat(this.controls
					.replaceAll(request.controls(), request.time(), Origin.operator(name(security), request.reason()))
					.stream(), request.refused().stream())
				.toList();
			outcomes.forEach((outcome) -> audit(security, kind, outcome));
			List<String> lifted = kind.equals("erase")
					? erase(outcomes, ControlRequest.ANY.equals(values.get("policy")), security) : List.of();
			return request.isSingle() && lifted.isEmpty() ? single(outcomes.get(0))
					: new WebEndpointResponse<>(OutcomeReport.of(outcomes, lifted));
		});
	}

	private static WebEndpointResponse<Object> single(Outcome outcome) {
		Replacement set = outcome.set();
		if (set == null) {
			throw new IllegalArgumentException(outcome.refused());
		}
		return (outcome.control() instanceof Reset) ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT)
				: new WebEndpointResponse<>(ControlReport.of(set));
	}

	/** Lifts the controls of keys that were reset. Returns their identifiers. */
	private List<String> erase(List<Outcome> outcomes, boolean anyPolicy, SecurityContext security) {
		Set<String> keys = outcomes.stream()
			.map(Outcome::set)
			.flatMap(Stream::ofNullable)
			.map((set) -> String.valueOf(set.control().digest()))
			.collect(Collectors.toSet());
		List<ActiveControl> controls = this.controls.of(keys)
			.stream()
			.filter((active) -> anyPolicy
					|| Objects.equals(active.control().policy(), outcomes.get(0).control().policy()))
			.toList();
		controls.forEach((active) -> {
			this.controls.lift(active.id());
			audit(security, "lift", ControlAudit.details(active));
		});
		return controls.stream().map(ActiveControl::id).toList();
	}

	private void audit(SecurityContext security, String kind, Outcome outcome) {
		Replacement set = outcome.set();
		if (set != null) {
			audit(security, kind, ControlAudit.details(set.control()));
		}
	}

	@DeleteOperation
	WebEndpointResponse<Object> lift(@Selector String id, SecurityContext security) {
		return answered(security, "lift", () -> Map.of("id", id), () -> {
			ActiveControl lifted = this.controls.find(id);
			if (!this.controls.lift(id)) {
				return RateLimitsEndpoint.problem(WebEndpointResponse.STATUS_NOT_FOUND,
						"there is no control with this id");
			}
			audit(security, "lift", (lifted != null) ? ControlAudit.details(lifted) : Map.of("id", id));
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	/** Answers, and audits what may or may not have taken effect. */
	private WebEndpointResponse<Object> answered(SecurityContext security, String kind,
			Supplier<Map<String, ? extends @Nullable Object>> known, Supplier<WebEndpointResponse<Object>> answer) {
		try {
			return answer.get();
		}
		catch (IllegalArgumentException ex) {
			return RateLimitsEndpoint.problem(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
		catch (RateLimitStoreException ex) {
			logger.debug("A control could not be set", ex);
			Map<String, @Nullable Object> details = new LinkedHashMap<>(known.get());
			details.put("effect", "unknown");
			audit(security, kind, details);
			return RateLimitsEndpoint.problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
					"the store failed: " + StoreFailure.of(ex).reason() + ". It is not known whether this took effect");
		}
	}

	/** Returns the values of a valid control, with digests in place of keys. */
	private Map<String, @Nullable Object> command(String kind, Map<String, ? extends @Nullable Object> values) {
		Map<String, @Nullable Object> command = new LinkedHashMap<>(values);
		command.keySet().removeAll(Set.of("key", "keys", "caller"));
		List<String> digests = ControlRequest.of(kind, values, this.controls::policiesOf)
			.controls()
			.stream()
			.flatMap((control) -> Stream.ofNullable(this.controls.digest(control)))
			.distinct()
			.toList();
		if (!digests.isEmpty()) {
			command.put("key", (digests.size() == 1) ? digests.get(0) : digests);
		}
		return command;
	}

	private void audit(SecurityContext security, String kind, Map<String, ? extends @Nullable Object> data) {
		String name = Objects.requireNonNullElse(name(security), "anonymous");
		logger
			.info(CONTROL.matcher("Rate limits were controlled by " + name + ": " + kind + " " + data).replaceAll("?"));
		try {
			this.events.publishEvent(ControlAudit.event(name, kind, data));
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A listener of audit events failed", ex);
		}
	}

	private static @Nullable String name(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? principal.getName() : null;
	}

	/**
	 * The controls.
	 *
	 * @param controls the controls in effect
	 * @param waiting the controls that begin later, or that another of the same kind and
	 * subject that began later overrides
	 * @param skipped the reasons for which others are not, by identifiers
	 */
	public record Report(List<ControlReport> controls, List<ControlReport> waiting, Map<String, String> skipped) {

	}

	/**
	 * All fields of a request.
	 *
	 * @param values the values by the names of the fields
	 */
	record AllFields(Map<String, ? extends @Nullable Object> values) {

	}

}
