package io.github.ratelimit.spring.redis;

import java.util.List;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;

/**
 * Reads the decision on one call, and has what it tells about denials remembered.
 */
final class DecisionReader implements ReplyReader<Decision> {

	private final Operation operation;

	private final List<Debit> debits;

	private final Denials denials;

	private final long asked;

	private final long epoch;

	DecisionReader(Operation operation, List<Debit> debits, Denials denials) {
		this.operation = operation;
		this.debits = debits;
		this.denials = denials;
		this.epoch = denials.epoch();
		this.asked = denials.now();
	}

	@Override
	public Decision read(byte[] reply) {
		Decision decision = ScriptCalls.decision(this.debits, reply);
		if (this.operation == Operation.ACQUIRE) {
			this.denials.learn(this.debits, decision, this.asked, this.epoch);
		}
		forget();
		return decision;
	}

	/** What failed may have been carried out. */
	@Override
	public RuntimeException failed(Throwable failure) {
		forget();
		return Failures.of(failure);
	}

	private void forget() {
		if (this.operation != Operation.ACQUIRE && this.operation != Operation.PEEK) {
			this.denials.forget(this.debits);
		}
	}

}
