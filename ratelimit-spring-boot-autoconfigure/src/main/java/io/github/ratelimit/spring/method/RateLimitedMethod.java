package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.FixedCharges;
import io.github.ratelimit.Hold;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A method with all that limits it.
 *
 * @param method as its class declares it
 * @param operations what to charge at each call; empty where the method is not limited
 * @param argumentNames the names of its arguments, in order
 * @param answers when a call has its answer
 * @param needs what must be known of a call to tell what it is charged
 * @param charges what every call is charged; {@code null} where that depends on the call
 */
record RateLimitedMethod(Method method, List<RateLimitOperation> operations, List<String> argumentNames,
		AnswerKind answers, Needs needs, @Nullable List<Charge> charges) {

	private static final Object[] NO_ARGUMENTS = {};

	private static final CallContext ANY_CALL = new CallContext(Caller.NONE, Map.of());

	static RateLimitedMethod of(Method method, List<RateLimitOperation> operations, List<String> argumentNames,
			AnswerKind answers) {
		Needs needs = operations.stream()
			.map(RateLimitOperation::needs)
			.max(Comparator.naturalOrder())
			.orElse(Needs.NOTHING);
		return new RateLimitedMethod(method, operations, argumentNames, answers, needs,
				(needs == Needs.NOTHING) ? new FixedCharges(charges(operations, ANY_CALL)) : null);
	}

	/**
	 * Whether it must be decided at the call: nobody can tell what it is charged before
	 * its arguments are known, or charges are given back when it fails.
	 */
	boolean isDecidedAtCall() {
		return this.needs == Needs.ARGUMENTS || this.operations.stream().anyMatch(RateLimitOperation::refunds);
	}

	/** Whether a call may wait for its turn, and does so without a thread. */
	boolean waitsWithoutThread() {
		return this.answers.isReactive() && this.operations.stream().anyMatch(RateLimitOperation::mayWait);
	}

	/** The parts of what a call holds that are given back after its failure. */
	List<Hold> refunds(Hold hold, Throwable failure) {
		return hold.parts()
			.stream()
			.filter((part) -> this.operations.stream()
				.anyMatch((operation) -> operation.refunds(part.charges().get(0), failure)))
			.toList();
	}

	/** What a call is charged; nothing where no policy limits it. */
	List<Charge> charges(Caller caller, @Nullable Object[] arguments) {
		if (this.charges != null) {
			return this.charges;
		}
		return charges(this.operations,
				new CallContext(caller, (this.needs == Needs.ARGUMENTS) ? byName(arguments) : Map.of()));
	}

	/** What a call is charged that does not need its arguments for that. */
	List<Charge> charges(Caller caller) {
		return charges(caller, NO_ARGUMENTS);
	}

	private static List<Charge> charges(List<RateLimitOperation> operations, CallContext call) {
		if (operations.size() == 1) {
			Charge charge = operations.get(0).charge(call);
			return (charge != null) ? List.of(charge) : List.of();
		}
		return operations.stream().flatMap((operation) -> Stream.ofNullable(operation.charge(call))).toList();
	}

	private Map<String, @Nullable Object> byName(@Nullable Object[] arguments) {
		Map<String, @Nullable Object> byName = new LinkedHashMap<>();
		for (int i = 0; i < this.argumentNames.size(); i++) {
			byName.put(this.argumentNames.get(i), arguments[i]);
		}
		return byName;
	}

}
