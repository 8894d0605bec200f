package io.github.ratelimit.spring.key;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * A policy with the resolvers of its callers, which creates the policy's charges.
 *
 * @param policy the policy
 * @param resolver resolves the key of a call, or nothing
 * @param plan resolves the plan of a caller, or nothing
 * @param exempt matches calls that the policy does not limit
 * @param blocked matches calls that the policy rejects
 * @param banned matches calls of banned callers
 * @param listener supplies the listener that is notified of rejected callers and invalid
 * costs
 * @param missing called for every call without a key
 */
public record PolicyKey(Policy policy, KeyResolver resolver, PlanResolver plan, Predicate<CallContext> exempt,
		Predicate<CallContext> blocked, Predicate<CallContext> banned, Supplier<RateLimitListener> listener,
		Consumer<CallContext> missing) {

	/**
	 * Returns the policy's charge for a call.
	 * @param call the call
	 * @param cost supplies the cost if the call is charged
	 * @return a charge, or {@code null} if the call has no key and the policy skips such
	 * calls
	 * @throws BlockedCallerException if the policy blocks the caller or the caller is
	 * banned
	 * @throws InvalidCostException if the call has no valid cost
	 * @throws MissingKeyException if the call has no key and the policy denies such calls
	 */
	public @Nullable Charge charge(CallContext call, LongSupplier cost) {
		if (this.banned.test(call)) {
			throw reported(BlockedCallerException.banned(this.policy.name()));
		}
		if (this.blocked.test(call)) {
			throw reported(new BlockedCallerException(this.policy.name()));
		}
		if (this.exempt.test(call)) {
			return Charge.exempt(this.policy.name());
		}
		String key = key(call);
		return (key != null) ? new Charge(this.policy.name(), key, charged(cost))
			.withPlan(this.plan.resolve(this.policy.name(), key, call)) : null;
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

	private RefusedCallerException reported(RefusedCallerException refusal) {
		this.listener.get().refused(refusal);
		return refusal;
	}

	private @Nullable String key(CallContext call) {
		String key = this.resolver.resolve(call);
		if (key != null) {
			return key;
		}
		this.missing.accept(call);
		return switch (this.policy.options().onMissingKey()) {
			case SHARED -> KeyResolvers.MISSING;
			case SKIP -> null;
			case DENY -> throw reported(new MissingKeyException(this.policy.name()));
		};
	}

}
