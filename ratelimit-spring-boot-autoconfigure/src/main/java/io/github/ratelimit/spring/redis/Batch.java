package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;

/**
 * Calls that ask the same and are decided on together, each of which is told its own
 * decision.
 */
final class Batch {

	private final List<Debit> debits;

	private final List<CompletableFuture<Decision>> calls;

	private final long since;

	private final Denials denials;

	private final Leases leases;

	private final long epoch;

	private final long asked;

	private final long inAdvance;

	/**
	 * A batch of calls.
	 * @param debits what each of them asks
	 * @param calls in the order in which they came
	 * @param since when the first of them came, as {@link System#nanoTime} has it
	 */
	Batch(List<Debit> debits, List<CompletableFuture<Decision>> calls, long since, Denials denials, Leases leases) {
		this.debits = debits;
		this.calls = calls;
		this.since = since;
		this.denials = denials;
		this.leases = leases;
		this.inAdvance = Leases.areFor(debits) ? leases.inAdvance(debits) : 0;
		this.epoch = denials.epoch();
		this.asked = denials.now();
	}

	/** What to ask for all of them, and for some that are yet to come. */
	ScriptCall call(ScriptCalls words) {
		return words.of(this.debits, this.calls.size(), this.inAdvance, this.since);
	}

	/** Whatever happens, nobody is left waiting. */
	List<Decision> tell(byte[] reply) {
		try {
			List<Decision> decisions = ScriptCalls.decisions(this.debits, this.calls.size(), reply);
			tell(decisions, reply);
			return decisions;
		}
		catch (RuntimeException ex) {
			throw fail(ex);
		}
	}

	private void tell(List<Decision> decisions, byte[] reply) {
		int size = this.calls.size();
		this.denials.learn(this.debits, decisions.get(size - 1), this.asked, this.epoch);
		keepLease(reply);
		for (int i = 0; i < size; i++) {
			this.calls.get(i).complete(decisions.get(i));
		}
	}

	/** Also where nothing is left, so that it is known for how long the key is busy. */
	private void keepLease(byte[] reply) {
		Decision last = Leases.areFor(this.debits) ? ScriptCalls.decision(this.debits, reply) : null;
		if (last != null && last.allowed()) {
			long admitted = ScriptCalls.admitted(reply);
			this.leases.keep(this.debits, last, admitted, Math.max(0, admitted - this.calls.size()), this.asked);
		}
	}

	RuntimeException fail(Throwable failure) {
		RuntimeException known = Failures.of(failure);
		this.calls.forEach((call) -> call.completeExceptionally(known));
		return known;
	}

}
