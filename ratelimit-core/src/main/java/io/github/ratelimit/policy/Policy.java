package io.github.ratelimit.policy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A named set of limits that must all have room, with its callers and options. Callers
 * with a plan have other limits on the same counts. Immutable.
 */
public final class Policy {

	/** The key of a policy that limits everyone together. */
	public static final String EVERYONE = "global";

	/** The most numbers of permits whose policies are kept. */
	private static final int MOST_NUMBERS = 256;

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private final String name;

	private final CallerSelectors callers;

	private final PolicyOptions options;

	/** The plans as they are defined, for policies that differ from this one. */
	private final Plans defined;

	/** The plans in effect, in shadow if no key is enforced. */
	private final Plans plans;

	/** The policy of keys that are not enforced, if others are. */
	private final @Nullable Policy inShadow;

	private final EffectiveLimits standardLimits;

	private final Map<String, EffectiveLimits> planLimits = new HashMap<>();

	/** This policy by the number of permits that calls tell. */
	private final Map<Long, Policy> byPermits = new ConcurrentHashMap<>(0);

	private final long longestWait;

	private final long standardWait;

	/**
	 * Creates a policy with the standard options.
	 * @param name letters, digits, dots, underscores and hyphens, up to 64; it is part of
	 * response headers, metrics and stored keys
	 * @param limits at least one and at most 100, no two at the same rate
	 * @param keys the keys to limit by, each as in {@link RateLimited#key}: the first
	 * that resolves counts
	 */
	public Policy(String name, List<Limit> limits, List<String> keys) {
		this(name, new CallerSelectors(keys), PolicyOptions.STANDARD,
				new Plans(new Plan(limits, EnforcementMode.ENFORCE), Map.of()));
	}

	private Policy(String name, CallerSelectors callers, PolicyOptions options, Plans defined) {
		this.name = name;
		this.callers = callers;
		this.options = options;
		this.defined = defined;
		this.plans = options.enforced().equals(EnforcedShare.NONE) ? defined.inShadow() : defined;
		requireNamed(name, callers);
		this.standardLimits = EffectiveLimits.of(name, options, this.plans.standard());
		this.plans.byName()
			.forEach((plan, offered) -> this.planLimits.put(plan, EffectiveLimits.of(name, options, offered)));
		this.longestWait = defined.longestWait();
		if (options.maxCost() != null && defined.areOnConcurrencyAlone()) {
			throw new IllegalArgumentException("a maximum cost is not for policy '" + name
					+ "', which limits calls at a time alone: a call holds one permit, whatever it costs");
		}
		this.standardWait = maxWaitMicros(options.maxWait());
		this.inShadow = options.enforced().isPartial()
				? new Policy(name, callers, options.withEnforced(EnforcedShare.NONE), defined) : null;
		if (callers.permits() != null) {
			requireNumbers(callers.permits());
		}
	}

	private static void requireNamed(String name, CallerSelectors callers) {
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"a policy's name is 1 to 64 letters, digits, dots, underscores or hyphens, was '" + name + "'");
		}
		if (callers.keys().isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one key");
		}
	}

	/** Requires one limit for the number, which can be counted from the least on. */
	private void requireNumbers(OwnPermits permits) {
		if (limits().size() > 1) {
			throw new IllegalArgumentException(
					"permits that calls tell are for a policy with one limit, and '" + this.name + "' has " + limits());
		}
		with(this.defined.withPermits(1));
		with(this.defined.withPermits(permits.most()));
	}

	/**
	 * Returns this policy with other options.
	 * @param options the options
	 * @return the policy
	 * @throws IllegalArgumentException if a limit's burst is no more than the reserve; if
	 * calls may wait for longer than can be counted (half a window of the calendar, or
	 * about as long as 2^53 parts of a permit take to refill); if a maximum cost is for
	 * limits on concurrency alone; or if the local share of a limit cannot be counted
	 * exactly
	 */
	public Policy withOptions(PolicyOptions options) {
		return new Policy(this.name, this.callers, options, this.defined);
	}

	/**
	 * Returns this policy with other selectors of callers.
	 * @param callers the selectors
	 * @return the policy
	 */
	public Policy withCallerSelectors(CallerSelectors callers) {
		return new Policy(this.name, callers, this.options, this.defined);
	}

	/**
	 * Returns this policy with its limits in another mode and with candidates to try.
	 * Both are for callers without a plan of this policy.
	 * @param mode the effect of the limits
	 * @param candidates limits in shadow, with separate counts; empty for none
	 * @return the policy
	 */
	public Policy withMode(EnforcementMode mode, List<Limit> candidates) {
		Plan standard = new Plan(limits(), mode, candidates);
		return new Policy(this.name, this.callers, this.options, new Plans(standard, this.defined.byName()));
	}

	/**
	 * Returns this policy with plans. Their limits charge the policy's own counts, so
	 * permits stay spent if a caller's plan changes.
	 * @param plans plans by name, each with as many limits as this policy
	 * @return the policy
	 * @throws IllegalArgumentException if a plan has another number of limits
	 */
	public Policy withPlans(Map<String, Plan> plans) {
		return new Policy(this.name, this.callers, this.options, new Plans(this.defined.standard(), plans));
	}

	/**
	 * Returns this policy with other limits for all plans, each in its mode, and for all
	 * calls, whatever permits they tell. Permits are prefetched only if these limits
	 * allow it.
	 * @param limits as many as this policy has
	 * @return the policy
	 * @throws IllegalArgumentException if there are more or fewer, or if they cannot
	 * count the policy's maximum wait, as half a window of the calendar is shorter
	 */
	public Policy withLimits(List<Limit> limits) {
		return with(this.defined.withLimits(limits));
	}

	private Policy with(Plans plans) {
		PolicyOptions options = EffectiveLimits.arePrefetchable(plans.limits(), this.options) ? this.options
				: this.options.withPrefetch(0);
		return new Policy(this.name, this.callers.withPermits(null), options, plans);
	}

	/**
	 * Returns this policy for a caller whose limit has a number of permits of its own,
	 * for the limiter. One that cannot be counted exactly is rounded down to fewer
	 * digits.
	 * @param permits permits per period, at least 1, or {@code null}
	 * @return this policy if there is no number, or the policy takes none from calls
	 */
	public Policy withPermits(@Nullable Long permits) {
		OwnPermits own = this.callers.permits();
		if (permits == null || own == null) {
			return this;
		}
		Long number = (permits > own.most()) ? Long.valueOf(own.most()) : permits;
		Policy known = this.byPermits.get(number);
		return (known != null) ? known : keep(number, counting(number));
	}

	private Policy keep(Long permits, Policy policy) {
		if (this.byPermits.size() >= MOST_NUMBERS) {
			this.byPermits.clear();
		}
		this.byPermits.put(permits, policy);
		return policy;
	}

	private Policy counting(long permits) {
		for (long unit = 1; unit < permits; unit *= 10) {
			try {
				return with(this.defined.withPermits(permits - permits % unit));
			}
			catch (IllegalArgumentException ex) {
				// Only large numbers cannot be counted, unless they are round
			}
		}
		return with(this.defined.withPermits(1));
	}

	/**
	 * Returns the policy's name.
	 * @return letters, digits, dots, underscores and hyphens, up to 64
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the limits of callers without a plan of this policy, all of which must have
	 * room.
	 * @return at least one
	 */
	public List<Limit> limits() {
		return standard().limits();
	}

	/**
	 * Returns the keys to limit by; the first that resolves counts.
	 * @return at least one, each as in {@link RateLimited#key}
	 */
	public List<String> keys() {
		return this.callers.keys();
	}

	/**
	 * Returns the selectors of callers.
	 * @return the selectors
	 */
	public CallerSelectors callers() {
		return this.callers;
	}

	/**
	 * Returns the options.
	 * @return the options
	 */
	public PolicyOptions options() {
		return this.options;
	}

	/**
	 * Returns the plan of callers without a plan, or with an unknown one.
	 * @return the policy's own limits
	 */
	public Plan standard() {
		return this.plans.standard();
	}

	/**
	 * Returns the plans.
	 * @return plans by name; may be empty
	 */
	public Map<String, Plan> plans() {
		return this.plans.byName();
	}

	/**
	 * Returns the policy as it applies to a key.
	 * @param key the key
	 * @return this policy, or the same in shadow if the key is not enforced
	 */
	public Policy forKey(String key) {
		return (this.inShadow == null || this.options.enforced().includes(key)) ? this : this.inShadow;
	}

	/**
	 * Returns whether limits deny calls.
	 * @return whether a plan is neither in shadow nor off
	 */
	public boolean isEnforced() {
		return this.plans.areEnforced();
	}

	/**
	 * Checks that callers without a plan can be admitted at a cost.
	 * @param cost the cost of a call, at least 0
	 * @throws UnsatisfiableCostException if no wait would make it fit
	 */
	public void requireSatisfiable(long cost) {
		this.standardLimits.requireSatisfiable(charged(cost));
	}

	/**
	 * Returns the limits of a plan as a store applies them, for the limiter.
	 * @param plan the name of a plan; {@code null} or an unknown one for the policy's own
	 * limits
	 * @return the limits
	 */
	public EffectiveLimits effectiveLimits(@Nullable String plan) {
		return (plan != null) ? this.planLimits.getOrDefault(plan, this.standardLimits) : this.standardLimits;
	}

	/**
	 * Returns the request that resets every count of a key, for the limiter.
	 * @param key the key
	 * @param own the limits that the key has instead of the policy's; empty for none
	 * @return the request to a store
	 */
	public StoreRequest resetOf(String key, List<Limit> own) {
		List<PermitRequest> permits = new ArrayList<>();
		for (PolicyLimit limit : (own.isEmpty() ? all() : Stream.concat(all(), withLimits(own).all())).toList()) {
			PermitRequest permit = new PermitRequest(limit, key, 0, 0);
			if (permits.stream().noneMatch(permit::sharesCountWith)) {
				permits.add(permit);
			}
		}
		return new StoreRequest(StoreOperation.RESET, permits);
	}

	private Stream<PolicyLimit> all() {
		return Stream.concat(Stream.of(standard()), plans().values().stream())
			.flatMap((plan) -> EffectiveLimits.all(this.name, this.options, plan));
	}

	/**
	 * Returns the permits charged for a cost, for the limiter.
	 * @param cost the cost of a call, at least 0
	 * @return the cost, or the policy's maximum
	 * @throws UnsatisfiableCostException if the policy refuses the cost
	 */
	public long charged(long cost) {
		PolicyOptions.MaxCost most = this.options.maxCost();
		if (most != null && cost > most.permits() && !most.clamps()) {
			var refusal = new UnsatisfiableCostException(this.name, most.permits(), "the maximum cost", cost);
			throw this.options.hidden() ? refusal.withPolicyHidden() : refusal;
		}
		return clamped(cost);
	}

	/**
	 * Returns the permits charged for a cost that is not refused, for the limiter.
	 * @param cost the cost of a call, at least 0
	 * @return the cost, or the policy's maximum if it clamps
	 */
	public long clamped(long cost) {
		PolicyOptions.MaxCost most = this.options.maxCost();
		return (most != null && most.clamps()) ? Math.min(cost, most.permits()) : cost;
	}

	/**
	 * Returns the longest wait of a call, for the limiter.
	 * @param maxWait the call's maximum wait; {@code null} for the policy's
	 * @return microseconds
	 * @throws IllegalArgumentException if it is longer than can be counted
	 */
	public long maxWaitMicros(@Nullable Duration maxWait) {
		if (maxWait == null) {
			return this.standardWait;
		}
		long micros = TimeUnit.MICROSECONDS.convert(maxWait);
		if (micros > this.longestWait) {
			throw new IllegalArgumentException("a maximum wait in policy '" + this.name + "' is at most "
					+ Duration.of(this.longestWait, ChronoUnit.MICROS) + ", was " + maxWait);
		}
		return micros;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Policy that && this.name.equals(that.name) && this.defined.equals(that.defined)
				&& this.callers.equals(that.callers) && this.options.equals(that.options);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.defined, this.callers, this.options);
	}

	@Override
	public String toString() {
		return this.name + " " + limits();
	}

}
