package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.RateLimitControlsEndpoint.ControlReport;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.top.TopKeys;
import io.github.ratelimit.spring.top.TopReport;
import io.github.ratelimit.store.PolicyLimit;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of the limits of one key and of what is left of them, which charges nothing.
 */
public final class KeyLookup {

	private final RateLimiter limiter;

	private final KeyResolvers keys;

	private final Controls controls;

	private final @Nullable TopKeys top;

	/**
	 * Creates a lookup.
	 * @param limiter the limiter
	 * @param keys the resolvers, which know how keys are written
	 * @param controls the controls of operators
	 * @param top the top keys, whose digests are looked up too; {@code null} for none
	 */
	public KeyLookup(RateLimiter limiter, KeyResolvers keys, Controls controls, @Nullable TopKeys top) {
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
		if (this.top == null) {
			throw new IllegalArgumentException("top keys are not counted: set 'ratelimit.top.enabled' to 'true'");
		}
		return this.top.report(policy.name());
	}

	/**
	 * Looks a key up.
	 * @param plan the plan of the caller, which only calls know
	 * @throws IllegalArgumentException if the key is not one of the policy's
	 */
	KeyReport of(Policy policy, String text, @Nullable String plan) {
		String key = this.keys.canonical(policy, resolved(policy, text));
		Collection<ActiveControl> controls = this.controls.of(policy.name(), key);
		List<ControlReport> reports = controls.stream().map(ControlReport::of).toList();
		Set<String> listed = listed(policy, key);
		try {
			List<LimitDecision> now = limits(peek(policy, key, plan, 0));
			List<LimitDecision> next = limits(peek(policy, key, plan, 1));
			return new KeyReport(plan, listed, origin(policy, plan, now, controls),
					IntStream.range(0, now.size())
						.mapToObj((index) -> LimitReport.of(now.get(index), next.get(index)))
						.toList(),
					reports);
		}
		catch (BlockedCallerException ex) {
			listed.add("banned");
			return new KeyReport(plan, listed, null, List.of(), reports);
		}
	}

	private String resolved(Policy policy, String text) {
		return (this.top == null) ? text
				: this.top.resolve(policy.name(), text)
					.orElseThrow(() -> new IllegalArgumentException(
							"this instance has not counted a key of this digest in the last minutes"));
	}

	private Decision peek(Policy policy, String key, @Nullable String plan, long cost) {
		return this.limiter.peek(List.of(new Charge(policy.name(), key, cost).withPlan(plan)));
	}

	private static List<LimitDecision> limits(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream()).toList();
	}

	private Set<String> listed(Policy policy, String key) {
		Set<String> listed = new TreeSet<>();
		List<String> banned = this.controls.active()
			.stream()
			.flatMap((active) -> (active.control() instanceof Block block) ? Stream.of(block.caller()) : Stream.empty())
			.toList();
		add(listed, "exempt", policy.callers().exempt(), key);
		add(listed, "blocked", policy.callers().blocked(), key);
		add(listed, "banned", banned, key);
		return listed;
	}

	private void add(Set<String> listed, String list, List<String> entries, String key) {
		if (this.keys.isListed(entries, key)) {
			listed.add(list);
		}
	}

	private String origin(Policy policy, @Nullable String plan, List<LimitDecision> decided,
			Collection<ActiveControl> ofKey) {
		if (ofKey.stream().anyMatch((active) -> active.control() instanceof Limits)) {
			return "control";
		}
		List<Limit> limits = Stream
			.concat(policy.effectiveLimits(plan).enforced().stream(), policy.effectiveLimits(plan).shadowed().stream())
			.map(PolicyLimit::limit)
			.toList();
		if (!limits.equals(decided.stream().map(LimitDecision::limit).toList())) {
			return "override";
		}
		if (this.controls.active().stream().anyMatch((active) -> isChange(active, policy))) {
			return "control";
		}
		return (plan != null && policy.plans().containsKey(plan)) ? "plan" : "configuration";
	}

	private static boolean isChange(ActiveControl active, Policy policy) {
		return active.control() instanceof Change change && change.policy().equals(policy.name())
				&& !change.limits().isEmpty();
	}

	/**
	 * The state of a key.
	 *
	 * @param plan the plan that was asked for, or {@code null} for none
	 * @param listed the lists that contain the key: {@code exempt}, {@code blocked},
	 * {@code banned}. Roles and expressions are not known without a call
	 * @param limitsFrom the origin of the limits: configuration, plan, override or
	 * control; {@code null} if the key is banned
	 * @param limits the limits and what is left of them
	 * @param controls the controls of the key
	 */
	record KeyReport(@Nullable String plan, Set<String> listed, @Nullable String limitsFrom, List<LimitReport> limits,
			List<ControlReport> controls) {

	}

	/**
	 * A limit and what is left of it.
	 *
	 * @param limit the limit, as in configuration
	 * @param algorithm the algorithm
	 * @param remaining permits that can be spent now
	 * @param retryAfter seconds until a permit can be spent
	 * @param resetAfter seconds until nothing is spent
	 */
	record LimitReport(String limit, String algorithm, long remaining, double retryAfter, double resetAfter) {

		static LimitReport of(LimitDecision now, LimitDecision next) {
			return new LimitReport(now.limit().toString(), now.limit().algorithm().id(), now.remaining(),
					next.tryAgainAfterMicros() / 1e6, now.resetAfterMicros() / 1e6);
		}

	}

}
