package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;

/**
 * What a decision comes to some time later, if Redis is not asked again.
 */
final class Later {

	private Later() {
	}

	/**
	 * A decision of later.
	 * @param nanos how much later
	 * @param debits what was decided on
	 * @param spare how many more such calls have their permits already
	 */
	static Decision decision(Decision decision, long nanos, List<Debit> debits, long spare) {
		long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
		List<LimitDecision> limits = new ArrayList<>(debits.size());
		for (int i = 0; i < debits.size(); i++) {
			LimitDecision limit = decision.limits().get(i);
			limits.add(new LimitDecision(limit.policy(), limit.limit(),
					limit.remaining() + spare * debits.get(i).cost(), Math.max(0, limit.retryAfterMicros() - micros),
					Math.max(0, limit.resetAfterMicros() - micros)));
		}
		return new Decision(decision.storeTimeMicros() + micros, limits);
	}

}
