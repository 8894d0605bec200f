package io.github.ratelimit.spring.key;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Callers;
import io.github.ratelimit.Charge;
import io.github.ratelimit.InvalidCostException;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.Policy;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;
import org.jspecify.annotations.Nullable;

/**
 * Finds whom a policy limits, and by which plan.
 *
 * @param policy the policy
 * @param resolver answers a key, or nothing
 * @param plan answers a plan, or nothing
 * @param exempt holds for calls that the policy does not limit
 * @param blocked holds for calls that the policy refuses
 * @param listener is told of every call that is refused, or has no cost
 * @param missing is told of every call for which no key resolves
 */
public record PolicyKey(Policy policy, KeyResolver resolver, PlanResolver plan, Predicate<CallContext> exempt,
		Predicate<CallContext> blocked, Supplier<RateLimitListener> listener, Consumer<CallContext> missing) {

	private static final String MISSING = "missing";

	/**
	 * What a call is charged by the policy.
	 * @param call the call
	 * @param cost its cost, asked for if it is charged
	 * @return a charge, or {@code null} where the policy does not limit calls without a
	 * key
	 * @throws BlockedCallerException where the policy blocks the caller
	 * @throws InvalidCostException where the call has no cost
	 * @throws MissingKeyException where the policy denies a call without a key
	 */
	public @Nullable Charge charge(CallContext call, LongSupplier cost) {
		if (this.blocked.test(call)) {
			throw refused(new BlockedCallerException(this.policy.name()));
		}
		if (this.exempt.test(call)) {
			return Charge.exempt(this.policy.name());
		}
		String key = key(call);
		return (key != null) ? new Charge(this.policy.name(), key, charged(cost))
			.withPlan(this.plan.resolve(this.policy.name(), key, call)) : null;
	}

	/**
	 * Whether plan or lists of a policy's callers may depend on the arguments of a call.
	 * @param callers how a policy tells callers apart
	 * @return whether one of its words other than the keys may need them
	 */
	public static boolean mayNeedArguments(Callers callers) {
		return KeyResolvers.mayNeedArguments(
				Stream.of(Stream.ofNullable(callers.plan()), callers.exempt().stream(), callers.blocked().stream())
					.flatMap((words) -> words)
					.filter((word) -> !word.startsWith("#") || !CallerExpression.isOfUserAlone(word))
					.toList());
	}

	private long charged(LongSupplier cost) {
		try {
			return cost.getAsLong();
		}
		catch (InvalidCostException ex) {
			this.listener.get().invalidCost(ex);
			throw ex;
		}
	}

	private RefusedCallerException refused(RefusedCallerException refusal) {
		this.listener.get().refused(refusal);
		return refusal;
	}

	private @Nullable String key(CallContext call) {
		String key = this.resolver.resolve(call);
		if (key != null) {
			return key;
		}
		this.missing.accept(call);
		return switch (this.policy.terms().onMissingKey()) {
			case SHARED -> MISSING;
			case SKIP -> null;
			case DENY -> throw refused(new MissingKeyException(this.policy.name()));
		};
	}

}
