package io.github.ratelimit.spring.usage;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.usage.Usage.Access;
import io.github.ratelimit.spring.usage.Usage.LimitUsage;
import io.github.ratelimit.spring.usage.Usage.PolicyUsage;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of the limits of callers and of what is left of them. It charges nothing and
 * notifies no listener. Hidden policies that no name selects, and policies without a key
 * or with invalid permits for a caller are left out. Thread-safe.
 */
public final class UsageLookup {

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	private static final String TOGETHER = "";

	private final RateLimiter limiter;

	private final Policies policies;

	private final Predicate<Policy> shown;

	private final PolicyKeys keys;

	private final List<String> names;

	/**
	 * Creates a lookup.
	 * @param limiter the limiter
	 * @param policies the policies in effect
	 * @param shown the policies to show if no names are given
	 * @param keys the resolvers of their keys
	 * @param names the names of the policies to show; empty for all that match
	 */
	public UsageLookup(RateLimiter limiter, Policies policies, Predicate<Policy> shown, PolicyKeys keys,
			List<String> names) {
		this.limiter = limiter;
		this.policies = policies;
		this.shown = shown;
		this.keys = keys;
		this.names = List.copyOf(names);
	}

	/**
	 * Looks a caller up, without blocking.
	 * @param caller the caller
	 * @return the usage
	 */
	public CompletionStage<Usage> of(Caller caller) {
		CallContext call = new CallContext(caller, Map.of());
		List<Standing> standings = names().stream()
			.map((name) -> standing(this.keys.get(name), call))
			.filter(Objects::nonNull)
			.toList();
		List<CompletableFuture<Decision>> peeks = requests(standings).stream()
			.map((charges) -> this.limiter.peekAsync(charges).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(peeks.toArray(CompletableFuture[]::new))
			.thenApply((done) -> usage(standings, peeks.stream().map(CompletableFuture::join).toList()));
	}

	private List<String> names() {
		return this.names.isEmpty() ? this.policies.all()
			.stream()
			.filter((policy) -> !policy.options().hidden())
			.filter(this.shown)
			.map(Policy::name)
			.sorted()
			.toList() : this.names;
	}

	private @Nullable Standing standing(PolicyKey policy, CallContext call) {
		Policy known = policy.policy();
		PolicyKey.Standing standing = policy.standing(call, (any) -> 0);
		Charge charge = standing.charge();
		if (charge != null && !charge.key().equals(KeyResolvers.MISSING)) {
			return new Standing(known, charge.exempt() ? Access.EXEMPT : access(charge), charge);
		}
		return (standing.state() == State.BLOCKED) ? new Standing(known, Access.BLOCKED, Charge.exempt(known.name()))
				: null;
	}

	/** Returns the access by a key, from which an operator may have banned it. */
	private Access access(Charge charge) {
		return this.policies.controls().of(charge.policy(), charge.key()).banned() ? Access.BLOCKED : Access.LIMITED;
	}

	/**
	 * Returns the charges to peek at together, so that the store is asked once. Alone are
	 * those of policies that a call may not charge together with another, or of whose
	 * counts this instance holds permits that only their own calls spend.
	 */
	private static Collection<List<Charge>> requests(List<Standing> standings) {
		return standings.stream()
			.filter((standing) -> standing.access() == Access.LIMITED)
			.collect(Collectors.groupingBy((standing) -> standing.isAlone() ? standing.policy().name() : TOGETHER,
					Collectors.mapping(Standing::charge, Collectors.toList())))
			.values();
	}

	private static Usage usage(List<Standing> standings, List<Decision> decisions) {
		return new Usage(standings.stream()
			.map((standing) -> new PolicyUsage(standing.policy().name(), standing.access(),
					decisions.stream()
						.flatMap((decision) -> decision.limits().stream())
						.filter((limit) -> limit.isOf(standing.charge().policy(), standing.charge().key()))
						.map(UsageLookup::limit)
						.toList()))
			.toList());
	}

	private static LimitUsage limit(LimitDecision limit) {
		long permits = limit.limit().burst();
		return new LimitUsage(limit.limit().toString(), permits, Math.max(0, permits - limit.remaining()),
				limit.remaining(), (limit.resetAfterMicros() + SECOND - 1) / SECOND);
	}

	/**
	 * A policy and what it is for a caller.
	 *
	 * @param policy the policy
	 * @param access the access that it gives
	 * @param charge what a call of the caller charges, at no cost
	 */
	private record Standing(Policy policy, Access access, Charge charge) {

		boolean isAlone() {
			PolicyOptions options = this.policy.options();
			return options.sharedCounter() != null || options.prefetch() > 0;
		}

	}

}
