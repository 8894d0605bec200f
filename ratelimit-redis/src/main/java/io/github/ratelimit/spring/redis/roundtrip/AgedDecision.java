package io.github.ratelimit.spring.redis.roundtrip;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;

/** A decision with the numbers that it has some time later. */
final class AgedDecision {

	private AgedDecision() {
	}

	/**
	 * Returns the same decision with the decisions on its limits at hand, as it may
	 * create these at each call.
	 */
	static Decision kept(Decision decision) {
		return Decision.of(decision.storeTimeMicros(), decision.limits());
	}

	/**
	 * Returns an aged decision.
	 * @param decision the decision, which should be {@linkplain #kept kept}
	 * @param nanos the age
	 * @param spare the number of further such requests with prefetched permits
	 */
	static Decision of(Decision decision, long nanos, StoreRequest request, long spare) {
		long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
		long time = decision.storeTimeMicros() + micros;
		List<PermitRequest> permits = request.permits();
		if (permits.size() == 1) {
			return single(permits.get(0), time, aged(decision, 0, micros, spare * permits.get(0).cost()));
		}
		List<LimitDecision> limits = new ArrayList<>(permits.size());
		for (int i = 0; i < permits.size(); i++) {
			limits.add(aged(decision, i, micros, spare * permits.get(i).cost()));
		}
		return Decision.of(time, limits);
	}

	/** Returns a decision that takes less memory than one with a list. */
	private static Decision single(PermitRequest permit, long time, LimitDecision aged) {
		long wait = aged.allowed() ? 0 : permit.maxWaitMicros() + aged.retryAfterMicros();
		return Decision.of(time, permit, wait, aged.remaining() + permit.reserve(), aged.resetAfterMicros());
	}

	private static LimitDecision aged(Decision decision, int index, long micros, long spare) {
		LimitDecision limit = decision.limits().get(index);
		return new LimitDecision(limit.policy(), limit.key(), limit.limit(), limit.remaining() + spare,
				Math.max(0, limit.retryAfterMicros() - micros), Math.max(0, limit.resetAfterMicros() - micros), 0,
				limit.hidden());
	}

}
