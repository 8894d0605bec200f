package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EffectiveLimits;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.OperatorKeys;
import io.github.ratelimit.spring.top.TopKeys;
import io.github.ratelimit.spring.top.TopList;
import io.github.ratelimit.spring.top.TopReport;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of the limits of one key and of what is left of them, which charges nothing.
 */
public final class KeyLookup {

	/** The most entries of a list over all policies, as in that of one. */
	private static final int MOST = 50;

	private final RateLimiter limiter;

	private final OperatorKeys keys;

	private final Controls controls;

	private final @Nullable TopKeys top;

	/**
	 * Creates a lookup.
	 * @param limiter the limiter
	 * @param keys the keys as operators write them
	 * @param controls the controls of operators
	 * @param top the top keys; {@code null} for none
	 */
	public KeyLookup(RateLimiter limiter, OperatorKeys keys, Controls controls, @Nullable TopKeys top) {
		this.limiter = limiter;
		this.keys = keys;
		this.controls = controls;
		this.top = top;
	}

	/**
	 * Returns the top keys of a policy.
	 * @throws IllegalArgumentException if they are not counted
	 */
	TopReport top(Policy policy) {
		return counted().report(policy.name());
	}

	private TopKeys counted() {
		if (this.top == null) {
			throw new IllegalArgumentException("top keys are not counted: set 'ratelimit.top.enabled' to 'true'");
		}
		return this.top;
	}

	/**
	 * Returns the top keys of several policies together.
	 * @throws IllegalArgumentException if they are not counted
	 */
	AnyTopReport top(Collection<Policy> policies) {
		Map<String, TopReport> reports = counted().reports(policies.stream().map(Policy::name).toList());
		return new AnyTopReport(reports.values().stream().mapToLong(TopReport::seconds).max().orElse(0),
				top(reports, TopReport::denied), top(reports, TopReport::shadowDenied), top(reports, TopReport::spent),
				reports.values().stream().allMatch(TopReport::complete));
	}

	private static List<PolicyEntry> top(Map<String, TopReport> reports, Function<TopReport, TopList> list) {
		return reports.entrySet()
			.stream()
			.flatMap((report) -> list.apply(report.getValue())
				.entries()
				.stream()
				.map((entry) -> new PolicyEntry(report.getKey(), entry.key(), entry.atLeast(), entry.atMost())))
			.sorted(Comparator.comparingLong(PolicyEntry::atMost).reversed())
			.limit(MOST)
			.toList();
	}

	/**
	 * Looks a key up.
	 * @param plan the plan of the caller, which only calls know
	 * @param permits the permits of the caller's limit, which only calls know
	 * @throws IllegalArgumentException if the key is not one of the policy's, or there
	 * are less than 1 permits
	 * @throws RateLimitStoreException if the store fails, as what this instance decides
	 * meanwhile is not what the key has left
	 */
	KeyReport of(Policy policy, String text, @Nullable String plan, @Nullable Long permits) {
		return of(policy,
				List.of(new Charge(policy.name(), this.keys.of(policy, text), 1).withPlan(plan).withPermits(permits)));
	}

	/** Looks up the key of charges, and what would be left for them together. */
	KeyReport of(Policy policy, List<Charge> charges) {
		Charge charge = charges.get(0);
		String key = charge.key();
		String plan = charge.plan();
		List<ActiveControl> controls = this.controls.active()
			.stream()
			.filter((active) -> applies(active.control(), policy, key))
			.toList();
		List<ControlReport> reports = controls.stream().map(this::report).toList();
		Set<String> listed = listed(policy, key, controls);
		try {
			Decision peeked = this.limiter.peekStore(List.of(charge.costing(0)));
			List<LimitDecision> now = limits(peeked);
			List<LimitDecision> next = limits(this.limiter.peekStore(charges));
			return new KeyReport(plan, listed, origin(policy, charge, now, controls), IntStream.range(0, now.size())
				.mapToObj((index) -> LimitReport.of(now.get(index), next.get(index), index >= peeked.limits().size()))
				.toList(), reports);
		}
		catch (BlockedCallerException ex) {
			listed.add("banned");
			return new KeyReport(plan, listed, null, List.of(), reports);
		}
	}

	/**
	 * Looks a key up in all policies that have it.
	 * @return the policies in which the key has counts or controls, or is listed
	 * @throws IllegalArgumentException if no policy has the key
	 * @throws RateLimitStoreException if the store fails
	 */
	KeyReports of(Map<String, Policy> policies, String text, @Nullable String plan, @Nullable Long permits) {
		Map<String, String> keys = this.controls.policiesOf(text);
		if (keys.isEmpty()) {
			throw new IllegalArgumentException("no policy has the key '" + text + "'");
		}
		Map<String, KeyReport> reports = new TreeMap<>();
		keys.forEach((name, key) -> {
			Policy policy = policies.get(name);
			KeyReport report = (policy != null) ? of(policy, key, plan, permits) : null;
			if (report != null && !report.showsNothing()) {
				reports.put(name, report);
			}
		});
		return new KeyReports(reports);
	}

	private boolean applies(Control control, Policy policy, String key) {
		if (control instanceof Block block) {
			return this.keys.isListed(List.of(block.caller()), key);
		}
		return policy.name().equals(control.policy()) && (control.subject() == null || control.subject().equals(key));
	}

	private ControlReport report(ActiveControl active) {
		if (active.control() instanceof Grant grant) {
			OptionalLong left = this.limiter.grantLeft(grant.policy(), grant.key());
			return left.isPresent() ? ControlReport.ofGrant(active, left.getAsLong()) : ControlReport.of(active);
		}
		return ControlReport.of(active);
	}

	private static List<LimitDecision> limits(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream()).toList();
	}

	private Set<String> listed(Policy policy, String key, List<ActiveControl> controls) {
		Set<String> listed = new TreeSet<>();
		add(listed, "exempt", policy.callers().exempt(), key);
		add(listed, "blocked", policy.callers().blocked(), key);
		if (controls.stream().anyMatch((active) -> active.control() instanceof Block)) {
			listed.add("banned");
		}
		return listed;
	}

	private void add(Set<String> listed, String list, List<String> entries, String key) {
		if (this.keys.isListed(entries, key)) {
			listed.add(list);
		}
	}

	private static String origin(Policy policy, Charge charge, List<LimitDecision> decided,
			List<ActiveControl> controls) {
		if (controls.stream().anyMatch((active) -> active.control() instanceof Limits)) {
			return "control";
		}
		EffectiveLimits own = policy.withPermits(charge.permits()).effectiveLimits(charge.plan());
		List<Limit> limits = Stream.concat(own.enforced().stream(), own.shadowed().stream())
			.map(PolicyLimit::limit)
			.toList();
		if (!limits.equals(decided.stream().map(LimitDecision::limit).toList())) {
			return "override";
		}
		if (controls.stream()
			.anyMatch((active) -> active.control() instanceof Change change && !change.limits().isEmpty())) {
			return "control";
		}
		if (charge.permits() != null && policy.callers().permits() != null) {
			return "call";
		}
		return (charge.plan() != null && policy.plans().containsKey(charge.plan())) ? "plan" : "configuration";
	}

	/**
	 * The top keys of several policies.
	 *
	 * @param seconds the length of the window
	 * @param denied the keys that were denied most
	 * @param shadowDenied the keys that limits in shadow would have denied most
	 * @param spent the keys that spent most
	 * @param complete whether they are of all instances, not of this one alone
	 */
	public record AnyTopReport(long seconds, List<PolicyEntry> denied, List<PolicyEntry> shadowDenied,
			List<PolicyEntry> spent, boolean complete) {

	}

	/**
	 * A key of a policy and the bounds of its count.
	 *
	 * @param policy the policy's name
	 * @param key the key or its digest
	 * @param atLeast the lower bound
	 * @param atMost the upper bound
	 */
	public record PolicyEntry(String policy, String key, long atLeast, long atMost) {

	}

	/**
	 * The state of a key in all policies.
	 *
	 * @param policies the states by the names of the policies in which the key has counts
	 * or controls, or is listed
	 */
	public record KeyReports(Map<String, KeyReport> policies) {

	}

	/**
	 * The state of a key.
	 *
	 * @param plan the plan that was asked for, or {@code null} for none
	 * @param listed the lists that contain the key: {@code exempt}, {@code blocked},
	 * {@code banned}. Roles and expressions are not known without a call
	 * @param limitsFrom the origin of the limits: configuration, plan, call, override or
	 * control; {@code null} if the key is banned
	 * @param limits the limits and what is left of them
	 * @param controls the controls of the key, those of its policy, and the blocks that
	 * match it
	 */
	public record KeyReport(@Nullable String plan, Set<String> listed, @Nullable String limitsFrom,
			List<LimitReport> limits, List<ControlReport> controls) {

		/** Returns whether a call of a cost would be denied, also by a grant. */
		boolean denies(long cost) {
			return this.listed.contains("banned") || (this.limits.stream()
				.anyMatch((limit) -> !limit.shadow() && limit.retryAfter() > 0)
					&& this.controls.stream()
						.noneMatch((control) -> control.effect().get("left") instanceof Long left && left >= cost));
		}

		/** Returns this report with the digest of a key in place of it. */
		KeyReport withoutKey(String key) {
			return new KeyReport(this.plan, this.listed, this.limitsFrom, this.limits,
					this.controls.stream().map((control) -> control.withoutKey(key)).toList());
		}

		/**
		 * Returns whether the key has nothing of its own: only changes of the policy.
		 */
		boolean showsNothing() {
			return this.listed.isEmpty() && this.controls.stream().allMatch((control) -> control.subject() == null)
					&& this.limits.stream().allMatch((limit) -> limit.resetAfter() == 0);
		}

	}

	/**
	 * A limit and what is left of it.
	 *
	 * @param limit the limit, as in configuration
	 * @param algorithm the algorithm
	 * @param remaining permits that can be spent now
	 * @param retryAfter seconds until a permit, or what a dry run costs, can be spent
	 * @param resetAfter seconds until nothing is spent
	 * @param shadow whether the limit denies nothing
	 */
	public record LimitReport(String limit, String algorithm, long remaining, double retryAfter, double resetAfter,
			boolean shadow) {

		static LimitReport of(LimitDecision now, LimitDecision next, boolean shadow) {
			return new LimitReport(now.limit().toString(), now.limit().algorithm().id(), now.remaining(),
					next.tryAgainAfterMicros() / 1e6, now.resetAfterMicros() / 1e6, shadow);
		}

	}

}
