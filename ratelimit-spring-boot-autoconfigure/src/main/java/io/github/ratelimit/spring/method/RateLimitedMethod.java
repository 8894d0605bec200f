package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
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
 * @param needsArguments whether what a call is charged may depend on its arguments
 */
record RateLimitedMethod(Method method, List<RateLimitOperation> operations, List<String> argumentNames,
		boolean needsArguments) {

	RateLimitedMethod(Method method, List<RateLimitOperation> operations, List<String> argumentNames) {
		this(method, operations, argumentNames, operations.stream().anyMatch(RateLimitOperation::needsArguments));
	}

	/**
	 * Whether it must be decided at the call: nobody can tell what it is charged before
	 * its arguments are known, or charges are given back when it fails.
	 */
	boolean isDecidedAtCall() {
		return this.needsArguments || this.operations.stream().anyMatch(RateLimitOperation::refunds);
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
		return charges(new CallContext(caller, this.needsArguments ? byName(arguments) : Map.of()));
	}

	List<Charge> charges(CallContext call) {
		if (this.operations.size() == 1) {
			Charge charge = this.operations.get(0).charge(call);
			return (charge != null) ? List.of(charge) : List.of();
		}
		return this.operations.stream().flatMap((operation) -> Stream.ofNullable(operation.charge(call))).toList();
	}

	private Map<String, @Nullable Object> byName(@Nullable Object[] arguments) {
		Map<String, @Nullable Object> byName = new LinkedHashMap<>();
		for (int i = 0; i < this.argumentNames.size(); i++) {
			byName.put(this.argumentNames.get(i), arguments[i]);
		}
		return byName;
	}

}
