package io.github.ratelimit.spring.usage;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.usage.Usage.Access;
import io.github.ratelimit.spring.usage.Usage.LimitUsage;
import io.github.ratelimit.spring.usage.Usage.PolicyUsage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A lookup of the limits of callers and of what is left of them. It charges nothing and
 * notifies no listener. Hidden policies that no name selects, and policies without a key
 * for a caller are left out. Thread-safe.
 */
public final class UsageLookup {

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

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
		List<CompletableFuture<PolicyUsage>> pending = names().stream()
			.map((name) -> of(this.keys.get(name), call))
			.filter(Objects::nonNull)
			.map(CompletionStage::toCompletableFuture)
			.toList();
		return CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
			.thenApply((done) -> new Usage(pending.stream().map(CompletableFuture::join).toList()));
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

	private @Nullable CompletionStage<PolicyUsage> of(PolicyKey policy, CallContext call) {
		String name = policy.policy().name();
		if (policy.callers().isRefused(call)) {
			return completed(name, Access.BLOCKED);
		}
		if (policy.callers().exempt().test(call)) {
			return completed(name, Access.EXEMPT);
		}
		String key = policy.resolver().resolve(call);
		return StringUtils.hasText(key) ? peek(name, key, policy.plan().resolve(name, key, call)) : null;
	}

	private CompletionStage<PolicyUsage> peek(String policy, String key, @Nullable String plan) {
		return peek(new Charge(policy, key, 0).withPlan(plan))
			.thenApply((decision) -> new PolicyUsage(policy, Access.LIMITED, limits(decision)))
			.exceptionallyCompose((failure) -> isBlocked(failure) ? completed(policy, Access.BLOCKED)
					: CompletableFuture.failedStage(failure));
	}

	private CompletionStage<Decision> peek(Charge charge) {
		try {
			return this.limiter.peekAsync(List.of(charge));
		}
		catch (BlockedCallerException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	private static boolean isBlocked(Throwable failure) {
		return failure instanceof BlockedCallerException || failure.getCause() instanceof BlockedCallerException;
	}

	private static CompletionStage<PolicyUsage> completed(String policy, Access access) {
		return CompletableFuture.completedStage(new PolicyUsage(policy, access, List.of()));
	}

	private static List<LimitUsage> limits(Decision decision) {
		return decision.limits().stream().map(UsageLookup::limit).toList();
	}

	private static LimitUsage limit(LimitDecision limit) {
		long permits = limit.limit().burst();
		return new LimitUsage(limit.limit().toString(), permits, Math.max(0, permits - limit.remaining()),
				limit.remaining(), (limit.resetAfterMicros() + SECOND - 1) / SECOND);
	}

}
