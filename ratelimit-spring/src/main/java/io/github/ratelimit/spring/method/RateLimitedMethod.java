package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import org.jspecify.annotations.Nullable;

/**
 * A method and everything that limits it. Immutable.
 */
public final class RateLimitedMethod {

	private static final Object[] NO_ARGUMENTS = {};

	private static final CallContext ANY_CALL = new CallContext(Caller.NONE, Map.of());

	private final Method method;

	private final String name;

	private final List<LimitedCharge> limits;

	private final List<String> argumentNames;

	private final ReturnKind returnKind;

	private final LimitedCharge.Inputs inputs;

	private final Route ofCall;

	private final Route ofHandler;

	private final @Nullable CallCharges constantCharges;

	private final @Nullable DenialFallback fallback;

	/** Not known before all beans of Spring Security exist. */
	private final Supplier<Boolean> secured;

	private final boolean decidedAtCall;

	private final boolean waitsWithoutThread;

	/** The index of the argument that takes the decision; negative if none does. */
	private final int decisionArgument;

	/**
	 * Creates a limited method.
	 * @param method the method as its class declares it
	 * @param limits the charges of each call, at least one
	 * @param argumentNames the names of the method's arguments, in order
	 * @param returnKind the moment at which a call has its result
	 * @param fallback the method to call instead of a denied one; {@code null} for none
	 * @param secured supplies whether Spring Security checks calls before their limits
	 */
	@SuppressWarnings("checkstyle:ParameterNumber")
	RateLimitedMethod(Method method, List<LimitedCharge> limits, List<String> argumentNames, ReturnKind returnKind,
			@Nullable DenialFallback fallback, Supplier<Boolean> secured) {
		this.method = method;
		this.name = name(method);
		this.limits = limits;
		this.argumentNames = argumentNames;
		this.returnKind = returnKind;
		this.inputs = limits.stream()
			.map(LimitedCharge::inputs)
			.max(Comparator.naturalOrder())
			.orElse(LimitedCharge.Inputs.NOTHING);
		String route = name(method).replace("()", "");
		this.ofCall = (request) -> route;
		this.ofHandler = new MethodRoute(method, route);
		this.fallback = fallback;
		this.secured = secured;
		this.decidedAtCall = this.inputs == LimitedCharge.Inputs.ARGUMENTS || fallback != null
				|| limits.stream().anyMatch((limit) -> !limit.outcome().isEmpty());
		this.waitsWithoutThread = returnKind.isReactive() && limits.stream().anyMatch(LimitedCharge::mayWait);
		this.decisionArgument = List.of(method.getParameterTypes()).indexOf(Decision.class);
		this.constantCharges = (this.inputs == LimitedCharge.Inputs.NOTHING) ? charges(ANY_CALL) : null;
	}

	/** Returns the name of a method for messages. */
	static String name(Method method) {
		return method.getDeclaringClass().getSimpleName() + '.' + method.getName() + "()";
	}

	/**
	 * Returns the method, which also identifies a call that was decided in advance.
	 * @return the method as its class declares it
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * Returns the name of the method for messages.
	 * @return a name such as {@code ReportJob.run()}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the policies that its annotations charge, in their order.
	 * @return the names of the policies that annotations name or define
	 */
	public List<String> policies() {
		return this.limits.stream().map((limit) -> limit.key().policy().name()).toList();
	}

	/**
	 * Returns the words for the keys that a policy is charged by.
	 * @param policy the policy's name
	 * @return the words of each annotation that charges the policy
	 */
	public List<List<String>> keysOf(String policy) {
		return this.limits.stream()
			.filter((limit) -> limit.key().policy().name().equals(policy))
			.map(LimitedCharge::words)
			.toList();
	}

	/**
	 * Returns whether what a call costs, before it ends, depends on the call.
	 * @return whether a cost may turn out invalid, or more than a limit can ever admit
	 */
	public boolean isCostComputed() {
		return this.limits.stream().anyMatch((limit) -> limit.cost().constant() == null);
	}

	/**
	 * Returns the expressions of its annotations and of the policies that they charge.
	 * @return the expressions
	 */
	public Stream<ScopedExpression> expressions() {
		return this.limits.stream().flatMap(LimitedCharge::expressions);
	}

	/**
	 * Replaces the decision among the arguments, which were bound before a decision at
	 * the call.
	 */
	void bindDecision(@Nullable Object[] arguments, RequestCharges request) {
		if (this.decisionArgument >= 0 && request.decision() != null) {
			arguments[this.decisionArgument] = request.decision();
		}
	}

	ReturnKind returnKind() {
		return this.returnKind;
	}

	/** Returns the method to call instead of a denied one, or null. */
	@Nullable DenialFallback fallback() {
		return this.fallback;
	}

	/**
	 * Returns the method that is called instead of a denied one.
	 * @return the method, or {@code null} if there is none
	 */
	public @Nullable Method fallbackMethod() {
		return (this.fallback != null) ? this.fallback.method() : null;
	}

	/**
	 * Returns whether a decision must wait for the call.
	 * @return whether a charge depends on the arguments or on the outcome of the call, or
	 * a denial calls another method
	 */
	public boolean isDecidedAtCall() {
		return this.decidedAtCall;
	}

	/**
	 * Returns whether calls are decided when their publisher is subscribed to.
	 * @return whether the method returns a publisher or is a suspend function, so that
	 * the decision knows the request
	 */
	public boolean isDecidedAtSubscription() {
		return this.returnKind.isReactive();
	}

	/**
	 * Returns whether a decision at the call blocks the calling thread.
	 * @return whether the method returns its result without a stage or a publisher
	 */
	public boolean mayBlock() {
		return !this.returnKind.isReactive() && this.returnKind != ReturnKind.STAGE;
	}

	/**
	 * Returns whether Spring Security may reject a call before its limit is decided, so
	 * that rules must not wait for that decision.
	 * @return whether it checks the method before the limit
	 */
	public boolean isSecured() {
		return this.secured.get();
	}

	/** Returns whether calls are charged by the size of the response. */
	boolean measuresResponse() {
		return this.limits.stream().anyMatch((limit) -> limit.outcome().measuresResponse());
	}

	/**
	 * Returns whether a call may have to wait for its turn and blocks no thread meanwhile
	 * if it is decided when the method is called.
	 * @return whether calls may wait and the return type is reactive
	 */
	public boolean waitsWithoutThread() {
		return this.waitsWithoutThread;
	}

	/**
	 * Returns the charges of a request that the method handles, if they do not depend on
	 * its arguments.
	 * @param caller the caller whose request the method handles
	 * @return the charges, none if no policy limits the call
	 */
	public CallCharges charges(Caller caller) {
		return charges(caller, NO_ARGUMENTS, this.ofHandler);
	}

	/**
	 * Returns what the policies of its annotations are for a request that the method
	 * handles, as far as that is known without its arguments.
	 * @param caller the caller whose request the method would handle
	 * @param beans whether beans of the application are called
	 * @return the standings in the order of the annotations
	 */
	public List<Standing> standings(Caller caller, boolean beans) {
		CallContext call = new CallContext(caller, Map.of(), this.ofHandler);
		return this.limits.stream().map((limit) -> limit.standing(call, beans)).toList();
	}

	/**
	 * Returns the charges of a call, none if no policy limits it. They end with the
	 * request if the method is its handler or has its result by a callback, otherwise
	 * with the call.
	 */
	CallCharges charges(Caller caller, @Nullable Object[] arguments, RequestCharges request) {
		boolean isHandler = request.isHandledBy(this.method);
		CallCharges charges = charges(caller, arguments, isHandler ? this.ofHandler : this.ofCall);
		return (isHandler || this.returnKind == ReturnKind.CALLBACK) ? charges.untilRequestEnds() : charges;
	}

	private CallCharges charges(Caller caller, @Nullable Object[] arguments, Route route) {
		return (this.constantCharges != null) ? this.constantCharges
				: charges(new CallContext(caller, (this.inputs == LimitedCharge.Inputs.ARGUMENTS)
						? new NamedArguments(this.argumentNames, arguments) : Map.of(), route));
	}

	private CallCharges charges(CallContext call) {
		if (this.limits.size() == 1 && this.limits.get(0).outcome().isEmpty()) {
			Charge charge = this.limits.get(0).charge(call);
			return (charge != null) ? CallCharges.of(List.of(charge)) : CallCharges.NONE;
		}
		CallCharges.Builder charges = new CallCharges.Builder();
		for (LimitedCharge limit : this.limits) {
			Charge charge = limit.charge(call);
			if (charge != null) {
				charges.add(charge, limit.outcome(), call);
			}
		}
		return charges.ofMethod();
	}

	/**
	 * The charge of one annotation at each call.
	 *
	 * @param key resolves the key to charge by the policy
	 * @param words the words for the key
	 * @param when the condition of limited calls; {@code null} for all
	 * @param cost the number of permits to charge
	 * @param inputs the parts of a call that condition, key and cost depend on
	 * @param maxWait the longest time that a call may wait; {@code null} for the policy's
	 * @param outcome the terms of the adjustment when a call has ended
	 */
	record LimitedCharge(PolicyKey key, List<String> words, @Nullable ScopedExpression when, CostExpression cost,
			Inputs inputs, @Nullable Duration maxWait, OutcomeTerms outcome) {

		/** Returns the charge of a call, or null if the policy does not limit it. */
		@Nullable Charge charge(CallContext call) {
			if (this.when != null && Boolean.FALSE.equals(this.when.holds(call))) {
				return null;
			}
			Charge charge = this.key.charge(call, this.cost);
			return (charge != null && this.maxWait != null) ? charge.waitingUpTo(this.maxWait) : charge;
		}

		private Standing standing(CallContext call, boolean beans) {
			if (this.inputs == Inputs.ARGUMENTS || (this.key.ofBeans() && !beans)) {
				return this.key.standing((this.inputs == Inputs.ARGUMENTS) ? State.ARGUMENTS : State.BEANS);
			}
			return (this.when != null && Boolean.FALSE.equals(this.when.holds(call))) ? this.key.standing(State.UNMET)
					: this.key.tryStanding(call, this.cost);
		}

		/** Returns all expressions. */
		Stream<ScopedExpression> expressions() {
			return Stream
				.of(this.key.expressions().stream(), Stream.ofNullable(this.when), this.cost.expression().stream(),
						this.outcome.expressions())
				.flatMap((expressions) -> expressions);
		}

		/** Returns whether it matters when and how a call ends. */
		boolean needsEnd() {
			return !this.outcome.isEmpty() || this.key.policy().limits().stream().anyMatch(Limit::isConcurrency);
		}

		/** Returns whether a call may have to wait for its turn. */
		boolean mayWait() {
			return !((this.maxWait != null) ? this.maxWait : this.key.policy().options().maxWait()).isZero();
		}

		/**
		 * The parts of a call that its charge depends on, from the fewest to the most.
		 */
		enum Inputs {

			/** No part: all calls have the same charge. */
			NOTHING,

			/** The caller. */
			CALLER,

			/** The caller and the arguments. */
			ARGUMENTS

		}

	}

}
