package io.github.ratelimit.spring.ai;

import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * A limiter of the calls of models. It reserves the charges of a call before the model is
 * called, and adjusts them to what the call has used. Thread-safe.
 */
final class ChargedCalls {

	private final Gate gate;

	private final ReactiveGate reactiveGate;

	private final ProviderPauses pauses;

	ChargedCalls(RateLimiter limiter, ProviderPauses pauses) {
		this.gate = new Gate(limiter);
		this.reactiveGate = new ReactiveGate(this.gate, (task) -> Schedulers.boundedElastic().schedule(task));
		this.pauses = pauses;
	}

	/**
	 * Calls a model.
	 * @param call the call
	 * @param model calls the model
	 * @param usage returns the usage that a response reports, or null
	 * @return the response of the model
	 */
	<R> R call(ModelCall call, Supplier<R> model, Function<R, @Nullable TokenUsage> usage) {
		if (call.charges().isEmpty()) {
			return model.get();
		}
		this.pauses.requireRunning(call.model());
		Admission admission = enter(call);
		try {
			call.called();
			R response = model.get();
			call.responded(usage.apply(response));
			return response;
		}
		catch (Throwable ex) {
			failed(call, ex);
			throw ex;
		}
		finally {
			admission.callEnded(null, null);
		}
	}

	private void failed(ModelCall call, Throwable failure) {
		if (this.pauses.onFailure(call.model(), failure)) {
			call.refused();
		}
	}

	private Admission enter(ModelCall call) {
		try {
			return this.gate.enter(call.charges(), RequestCharges.NONE, null);
		}
		catch (RateLimitExceededException ex) {
			call.denied(ex.getDecision());
			throw ex;
		}
	}

	/**
	 * Returns the response of a call that is charged before and adjusted after it, before
	 * its subscriber learns of the end. The model is not called on a thread of the store,
	 * as it may block.
	 * @param call the call, for one subscription
	 * @param response the response of the model
	 * @param usage returns the usage that a part of the response reports, or null
	 * @return the response
	 */
	<R> Flux<R> stream(ModelCall call, Flux<R> response, Function<R, @Nullable TokenUsage> usage) {
		if (call.charges().isEmpty()) {
			return response;
		}
		return Flux.defer(() -> {
			this.pauses.requireRunning(call.model());
			return this.reactiveGate.pass(call.charges(), RequestCharges.NONE, null,
					() -> response.doFirst(call::called)
						.doOnNext((part) -> call.received(usage.apply(part)))
						.doOnError((failure) -> failed(call, failure)),
					(denial) -> denied(call, denial));
		});
	}

	private static <R> Flux<R> denied(ModelCall call, RateLimitExceededException denial) {
		call.denied(denial.getDecision());
		return Flux.error(denial);
	}

}
