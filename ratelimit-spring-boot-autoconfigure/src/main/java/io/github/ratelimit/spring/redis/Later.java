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
		long time = decision.storeTimeMicros() + micros;
		if (debits.size() == 1) {
			return alone(debits.get(0), time, limit(decision, 0, micros, spare * debits.get(0).cost()));
		}
		List<LimitDecision> limits = new ArrayList<>(debits.size());
		for (int i = 0; i < debits.size(); i++) {
			limits.add(limit(decision, i, micros, spare * debits.get(i).cost()));
		}
		return Decision.of(time, limits);
	}

	/** In less memory than with lists. */
	private static Decision alone(Debit debit, long time, LimitDecision said) {
		long wait = said.allowed() ? 0 : debit.patience() + said.retryAfterMicros();
		return debit.decisionAlone(time, wait, said.remaining() + debit.clause().reserve(), said.resetAfterMicros());
	}

	private static LimitDecision limit(Decision decision, int index, long micros, long more) {
		LimitDecision limit = decision.limits().get(index);
		return new LimitDecision(limit.policy(), limit.limit(), limit.remaining() + more,
				Math.max(0, limit.retryAfterMicros() - micros), Math.max(0, limit.resetAfterMicros() - micros));
	}

}
