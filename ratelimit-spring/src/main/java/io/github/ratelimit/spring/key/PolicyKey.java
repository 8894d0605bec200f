package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.Memo;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import org.jspecify.annotations.Nullable;

/**
 * A policy with the resolvers of its callers, which creates the policy's charges.
 *
 * @param policy the policy
 * @param resolver resolves the key of a call, or nothing
 * @param plan resolves the plan of a caller, or nothing
 * @param permits resolves the permits of a caller's limit, or nothing
 * @param callers matches the calls of callers that the policy does not charge
 * @param listener supplies the listener that is notified of rejected callers and invalid
 * costs
 * @param missing called for every call without a key
 * @param charges the last charges by the policy
 * @param expressions the expressions of key, plan, permits and lists
 * @param ofBeans whether one of these calls a bean of the application
 * @param ofUser whether one of these is a claim or a role of the user
 */
@SuppressWarnings("checkstyle:RecordComponentNumber") // what a charge is made of
public record PolicyKey(Policy policy, KeyResolver resolver, PlanResolver plan, PermitsResolver permits,
		CallerConditions callers, Supplier<RateLimitListener> listener, Consumer<CallContext> missing,
		Memo<Charge> charges, List<ScopedExpression> expressions, boolean ofBeans, boolean ofUser) {

	private static final RateLimitListener UNNOTIFIED = new RateLimitListener() {
	};

	/**
	 * Returns the policy's charge for a call.
	 * @param call the call
	 * @param cost returns the cost of the call if it is charged
	 * @return a charge, or {@code null} if the call has no key and the policy skips such
	 * calls
	 * @throws BlockedCallerException if the policy blocks the caller or the caller is
	 * banned
	 * @throws InvalidCostException if the call has no valid cost, or no valid permits of
	 * its caller
	 * @throws MissingKeyException if the call has no key and the policy denies such calls
	 */
	public @Nullable Charge charge(CallContext call, ToLongFunction<CallContext> cost) {
		if (this.callers.banned().test(call)) {
			throw reported(BlockedCallerException.banned(this.policy));
		}
		if (this.callers.blocked().test(call)) {
			throw reported(new BlockedCallerException(this.policy));
		}
		if (this.callers.exempt().test(call)) {
			return Charge.exempt(this.policy.name());
		}
		String key = key(call);
		return (key != null) ? charge(key, call, cost) : null;
	}

	private Charge charge(String key, CallContext call, ToLongFunction<CallContext> cost) {
		try {
			return charge(key, cost.applyAsLong(call), this.plan.resolve(this.policy.name(), key, call),
					this.permits.resolve(this.policy.name(), key, call));
		}
		catch (InvalidCostException ex) {
			this.listener.get().invalidCost(ex);
			throw this.policy.options().hidden() ? ex.withPolicyHidden() : ex;
		}
	}

	/** Returns the last charge of a key if it is equal, instead of another. */
	private Charge charge(String key, long cost, @Nullable String plan, @Nullable Long permits) {
		Charge last = this.charges.get(key, 0);
		if (last != null && last.key().equals(key) && last.cost() == cost && Objects.equals(last.plan(), plan)
				&& Objects.equals(last.permits(), permits)) {
			return last;
		}
		Charge charge = new Charge(this.policy.name(), key, cost, null, plan).withPermits(permits);
		if (this.charges.noteUse(key, 0)) {
			this.charges.put(key, 0, charge);
		}
		return charge;
	}

	/**
	 * Returns this policy for calls that charge nothing, of which no listener is notified
	 * and nothing is logged.
	 * @return a policy with the same resolvers
	 */
	public PolicyKey unreported() {
		return new PolicyKey(this.policy, this.resolver, this.plan, this.permits, this.callers, () -> UNNOTIFIED,
				(call) -> {
				}, this.charges, this.expressions, this.ofBeans, this.ofUser);
	}

	/**
	 * Returns what the policy is for a call. Charges nothing and notifies no listener.
	 * @param call the call
	 * @param cost returns the cost of the call
	 * @return the standing, with the charge if there is one
	 */
	public Standing standing(CallContext call, ToLongFunction<CallContext> cost) {
		try {
			Charge charge = unreported().charge(call, cost);
			if (charge == null) {
				return standing(State.SKIPPED);
			}
			return new Standing(this.policy, charge.exempt() ? State.EXEMPT : State.LIMITED, charge);
		}
		catch (BlockedCallerException ex) {
			return standing(State.BLOCKED);
		}
		catch (MissingKeyException ex) {
			return standing(State.KEYLESS);
		}
		catch (InvalidCostException ex) {
			return standing(State.FAILED);
		}
	}

	/**
	 * Returns what the policy is for a stated call, also if it would fail or claims or
	 * roles of its user decide.
	 * @param call the call
	 * @param cost returns the cost of the call
	 * @return the standing, without a reason, which may contain what is secret
	 */
	public Standing tryStanding(CallContext call, ToLongFunction<CallContext> cost) {
		try {
			Standing known = standing(call, cost);
			boolean isSure = !this.ofUser || call.caller().user() == null || known.state() == State.BLOCKED;
			return isSure ? known : standing(State.USER);
		}
		catch (RuntimeException ex) {
			return standing(State.FAILED);
		}
	}

	/**
	 * Returns what the policy is for a call without a charge.
	 * @param state the reason for which there is none
	 * @return the standing
	 */
	public Standing standing(State state) {
		return new Standing(this.policy, state, null);
	}

	/**
	 * Returns whether the policy's own key is the route of a call, or has it as a part.
	 * @return whether one of its words names the route
	 */
	public boolean isOfRoute() {
		return this.policy.keys().stream().anyMatch(KeyWords::isOfRoute);
	}

	/**
	 * Returns whether the policy's own key is a field of a form, or has one as a part.
	 * @return whether the body of a request has to be read for the key
	 */
	public boolean readsForm() {
		return this.policy.keys().stream().anyMatch(KeyWords::isOnlyOfRules);
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
			case DENY -> throw reported(new MissingKeyException(this.policy));
		};
	}

	/**
	 * A policy and what it is for a call.
	 *
	 * @param policy the policy
	 * @param state whether the call is limited
	 * @param charge the charge; {@code null} if there is none
	 */
	public record Standing(Policy policy, State state, @Nullable Charge charge) {

		/** The states of a call. */
		public enum State {

			/** The limits of the key apply. */
			LIMITED,
			/** The caller is exempt. */
			EXEMPT,
			/** The caller is blocked or banned. */
			BLOCKED,
			/** The call has no key and is denied. */
			KEYLESS,
			/** The call has no key and is not limited. */
			SKIPPED,
			/** A condition does not hold. */
			UNMET,
			/** A key, plan or cost could not be computed. */
			FAILED,
			/** The arguments of the method decide. */
			ARGUMENTS,
			/** The form of the request decides. */
			FORM,
			/** A bean of the application decides. */
			BEANS,
			/** The claims or roles of the user decide. */
			USER

		}

	}

	/**
	 * The conditions under which a policy does not charge a call.
	 *
	 * @param exempt matches calls that the policy does not limit
	 * @param blocked matches calls that the policy rejects
	 * @param banned matches calls of banned callers
	 */
	public record CallerConditions(Predicate<CallContext> exempt, Predicate<CallContext> blocked,
			Predicate<CallContext> banned) {

	}

}
