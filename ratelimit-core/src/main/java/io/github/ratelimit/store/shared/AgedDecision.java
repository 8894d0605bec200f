package io.github.ratelimit.store.shared;

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
		if (permits.size() == 1) { // takes less memory than a list
			PermitRequest permit = permits.get(0);
			LimitDecision limit = decision.limits().get(0);
			return Decision.of(time, permit, wait(permit, limit, micros), left(permit, limit, spare),
					reset(limit, micros));
		}
		List<LimitDecision> limits = new ArrayList<>(permits.size());
		for (int i = 0; i < permits.size(); i++) {
			PermitRequest permit = permits.get(i);
			LimitDecision limit = decision.limits().get(i);
			limits.add(permit.decide(wait(permit, limit, micros), left(permit, limit, spare), reset(limit, micros)));
		}
		return Decision.of(time, limits);
	}

	private static long wait(PermitRequest permit, LimitDecision limit, long micros) {
		long late = limit.retryAfterMicros() - micros;
		return (late > 0) ? permit.maxWaitMicros() + late : 0;
	}

	private static long left(PermitRequest permit, LimitDecision limit, long spare) {
		return limit.remaining() + spare * permit.cost() + permit.reserve();
	}

	private static long reset(LimitDecision limit, long micros) {
		return Math.max(0, limit.resetAfterMicros() - micros);
	}

}
