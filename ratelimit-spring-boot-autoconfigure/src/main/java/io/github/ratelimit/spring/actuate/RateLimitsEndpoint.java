package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.KeyLookup.AnyTopReport;
import io.github.ratelimit.spring.actuate.KeyLookup.KeyReport;
import io.github.ratelimit.spring.actuate.KeyLookup.KeyReports;
import io.github.ratelimit.spring.actuate.PolicyReports.PolicyReport;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.LastReload.InEffect;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.github.ratelimit.spring.top.TopReport;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/ratelimits}, which shows the policies and the store in
 * use, and what is left of the limits of a key. It charges nothing.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	private final PolicyReports policies;

	private final RateLimitStore store;

	private final KeyLookup lookup;

	private final Diagnostics diagnostics;

	private final PolicyUses uses;

	/**
	 * Creates an endpoint.
	 * @param policies the policies as they are shown
	 * @param store the store to name
	 * @param lookup the lookup of keys
	 * @param uses the places that use policies
	 * @param diagnostics the choice of the store, and likely mistakes
	 */
	public RateLimitsEndpoint(PolicyReports policies, RateLimitStore store, KeyLookup lookup, PolicyUses uses,
			Diagnostics diagnostics) {
		this.policies = policies;
		this.store = store;
		this.lookup = lookup;
		this.uses = uses;
		this.diagnostics = diagnostics;
	}

	@ReadOperation
	Report report() {
		return new Report(this.store.name(), this.diagnostics.storeReason(), this.diagnostics.connection(),
				PolicyReports.lowerCase(this.store.breakerState()), this.policies.instances(this.store),
				this.policies.all(), this.uses.methods().get(), this.uses.rules().get(),
				ConfigurationReport.of(this.uses.reload().inEffect()), ReloadReport.of(this.uses.reload().get()),
				this.diagnostics.findings().get().stream().map(FindingReport::of).toList());
	}

	/**
	 * Shows a policy, or looks a key of it up.
	 * @param policy the name of the policy, {@code *} to look a key up in all of them
	 * @param key the key, such as {@code client-ip:192.0.2.1}
	 * @param plan the plan of the caller, which only calls know
	 * @param permits the permits of the caller's limit, which only calls know
	 */
	@ReadOperation
	@RegisterReflectionForBinding({ KeyReport.class, KeyReports.class })
	WebEndpointResponse<Object> look(@Selector String policy, @Nullable String key, @Nullable String plan,
			@Nullable Long permits) {
		if (policy.equals(ControlRequest.ANY) && key != null) {
			return answered(() -> this.lookup.of(
					this.policies.policies().stream().collect(Collectors.toMap(Policy::name, Function.identity())), key,
					plan, permits));
		}
		return of(policy,
				(known) -> (key != null) ? this.lookup.of(known, key, plan, permits) : this.policies.of(known));
	}

	/**
	 * Shows more of a policy.
	 * @param policy the name of the policy, {@code *} for all of them
	 * @param view the name of the view, which is {@code top} for the keys that are denied
	 * most and spend most
	 */
	@ReadOperation
	@RegisterReflectionForBinding({ AnyTopReport.class, TopReport.class })
	WebEndpointResponse<Object> view(@Selector String policy, @Selector String view) {
		if (!view.equals("top")) {
			return problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no such view; there is top");
		}
		return policy.equals(ControlRequest.ANY) ? answered(() -> this.lookup.top(this.policies.policies()))
				: of(policy, this.lookup::top);
	}

	private WebEndpointResponse<Object> of(String policy, Function<Policy, Object> view) {
		return this.policies.find(policy)
			.map((known) -> answered(() -> view.apply(known)))
			.orElseGet(() -> problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no policy of this name"));
	}

	/** Returns a view, or a response that tells what is wrong. */
	static WebEndpointResponse<Object> answered(Supplier<Object> view) {
		try {
			return new WebEndpointResponse<>(view.get());
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
		catch (RateLimitStoreException ex) {
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
					"the store failed: " + StoreFailure.of(ex).reason());
		}
	}

	/** Returns a response that tells what is wrong. */
	static WebEndpointResponse<Object> problem(int status, String detail) {
		return new WebEndpointResponse<>(Map.of("detail", detail), status);
	}

	/**
	 * The policies of an application and what uses them.
	 *
	 * @param store the name of the store
	 * @param storeReason why this store was chosen
	 * @param connection the bean that connects to the store, if there is one
	 * @param breaker the state of the circuit breaker
	 * @param instances the number of instances that divide limits among themselves while
	 * the store fails, if a policy does that
	 * @param policies the policies by name
	 * @param methods the limited methods by the name of the policy
	 * @param rules the rules in their order
	 * @param configuration the configuration in effect
	 * @param reload the outcome of the last reload of the configuration, if there was one
	 * @param findings likely mistakes
	 */
	@SuppressWarnings("checkstyle:RecordComponentNumber") // one per member of the JSON
	public record Report(String store, String storeReason, @Nullable String connection, String breaker,
			@Nullable Integer instances, Map<String, PolicyReport> policies,
			Map<String, ? extends Collection<String>> methods, List<RuleReport> rules,
			ConfigurationReport configuration, @Nullable ReloadReport reload, List<FindingReport> findings) {

	}

	/**
	 * The configuration in effect.
	 *
	 * @param digest the digest, which is the same on instances that are configured alike
	 * @param since the time since which it applies
	 */
	public record ConfigurationReport(String digest, String since) {

		static ConfigurationReport of(InEffect configuration) {
			return new ConfigurationReport(configuration.digest(), configuration.since().toString());
		}

	}

	/**
	 * A reload of the configuration.
	 *
	 * @param at the time of the reload
	 * @param problem the reason for which the configuration was refused, or {@code null}
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public record ReloadReport(String at, @Nullable String problem, List<String> needRestart) {

		static @Nullable ReloadReport of(@Nullable Reload reload) {
			return (reload == null) ? null
					: new ReloadReport(reload.at().toString(), reload.problem(), reload.needRestart());
		}

	}

	/**
	 * A likely mistake.
	 *
	 * @param id the kind of mistake
	 * @param subject what has it
	 * @param message what is wrong, and what to do
	 */
	public record FindingReport(String id, String subject, String message) {

		static FindingReport of(Finding finding) {
			return new FindingReport(finding.kind().id(), finding.subject(), finding.message());
		}

	}

}
