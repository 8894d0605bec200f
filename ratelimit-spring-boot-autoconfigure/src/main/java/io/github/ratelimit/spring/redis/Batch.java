package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

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

	private final @Nullable Lease renewed;

	/**
	 * A batch of calls.
	 * @param debits what each of them asks
	 * @param calls in the order in which they came
	 * @param since when the first of them came, by {@link ScriptRunner#now}
	 */
	Batch(List<Debit> debits, List<CompletableFuture<Decision>> calls, long since, Denials denials, Leases leases) {
		this.debits = debits;
		this.calls = calls;
		this.since = since;
		this.denials = denials;
		this.leases = leases;
		this.renewed = Leases.areFor(debits) ? leases.tryRenew(debits) : null;
		this.epoch = denials.epoch();
		this.asked = denials.now();
	}

	/** What to ask now for all of them, and for some that are yet to come. */
	ScriptCall call(ScriptCalls words, long now) {
		long inAdvance = (this.renewed != null) ? Leases.prefetched(this.debits) : 0;
		return words.of(this.debits, this.calls.size(), inAdvance, now - this.since);
	}

	/** Whatever happens, nobody is left waiting. */
	List<Decision> tell(byte[] reply) {
		try {
			List<Decision> decisions = ScriptCalls.decisions(this.debits, this.calls.size(), reply);
			tell(decisions);
			return decisions;
		}
		catch (RuntimeException ex) {
			throw fail(ex);
		}
	}

	private void tell(List<Decision> decisions) {
		int size = this.calls.size();
		Decision last = decisions.get(size - 1);
		if (last.allowed() || !this.leases.tryMakeRoom(this.debits, last)) {
			this.denials.learn(this.debits, last, this.asked, this.epoch);
		}
		for (int i = 0; i < size; i++) {
			Decision decision = decisions.get(i);
			Decision leased = decision.allowed() ? null : this.leases.spend(this.debits);
			this.calls.get(i).complete((leased != null) ? leased : decision);
		}
	}

	/** Keeps what was charged in advance, before anybody is told, so that all find it. */
	void keepLease(byte[] reply) {
		if (!Leases.areFor(this.debits)) {
			return;
		}
		try {
			Decision last = ScriptCalls.decision(this.debits, reply);
			if (last.allowed()) {
				long admitted = ScriptCalls.admitted(reply);
				long left = Math.max(0, admitted - this.calls.size());
				this.leases.keep(new Lease(this.debits, last, admitted, left, this.asked), this.renewed);
				return;
			}
		}
		catch (RuntimeException ex) {
			// Read once more for the calls, which fail by it
		}
		this.leases.abandon(this.renewed);
	}

	RuntimeException fail(Throwable failure) {
		this.leases.abandon(this.renewed);
		RuntimeException known = Failures.of(failure);
		this.calls.forEach((call) -> call.completeExceptionally(known));
		return known;
	}

}
