package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Permits that a call was charged and that can be given back, or settled, once. What is
 * neither given back nor settled stays charged. Thread-safe.
 */
public final class Hold {

	private final Decision decision;

	private final List<Charge> charges;

	private final List<Debit> debits;

	private final RateLimitStore store;

	/** Not made before they are asked for: most holds are never given back. */
	private @Nullable List<Part> parts;

	/**
	 * What a call holds.
	 * @param charges as they were charged
	 * @param debits all that the call was charged, in the order of the decision's limits
	 */
	Hold(Decision decision, List<Charge> charges, List<Debit> debits, RateLimitStore store) {
		this.decision = decision;
		this.charges = charges;
		this.debits = debits;
		this.store = store;
	}

	private Hold(Hold whole, Part part) {
		this(whole.decision, List.of(part.charge), whole.debits, whole.store);
		this.parts = List.of(part);
	}

	/**
	 * The answer to the call.
	 * @return if it is denied, nothing is held
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * What was charged, at the costs that the policies made of it.
	 * @return the charges of the call, in their order
	 */
	public List<Charge> charges() {
		return List.copyOf(this.charges);
	}

	/**
	 * What each charge of the call holds, to be given back or settled on its own. What is
	 * done to a part is done to the whole.
	 * @return a hold for each charge, in their order
	 */
	public List<Hold> parts() {
		return held().stream().map((part) -> new Hold(this, part)).toList();
	}

	private synchronized List<Part> held() {
		if (this.parts == null) {
			this.parts = this.charges.stream().map((charge) -> new Part(charge, this.debits, this.decision)).toList();
		}
		return this.parts;
	}

	/** Returns the hold of a call that may not wait: a denial, which holds nothing. */
	Hold denied() {
		List<LimitDecision> limits = this.decision.limits().stream().map(Hold::denied).toList();
		return new Hold(Decision.of(this.decision.storeTimeMicros(), limits, this.decision.shadows()), this.charges,
				this.debits, this.store);
	}

	private static LimitDecision denied(LimitDecision limit) {
		return new LimitDecision(limit.policy(), limit.limit(), limit.remaining(), limit.waitMicros(),
				limit.resetAfterMicros());
	}

	/** Where it was charged. */
	RateLimitStore store() {
		return this.store;
	}

	/** The charges that are held still; from now on they are not. */
	List<Part> release() {
		return this.decision.allowed() ? held().stream().filter(Part::release).toList() : List.of();
	}

	/** What one charge holds. */
	static final class Part {

		private final AtomicBoolean held = new AtomicBoolean(true);

		private final Charge charge;

		private final List<Debit> debits;

		private final Decision decision;

		/**
		 * What a charge holds.
		 * @param charge as it was charged
		 * @param debits all that the call was charged, in the order of the decision's
		 * limits
		 */
		Part(Charge charge, List<Debit> debits, Decision decision) {
			this.charge = charge;
			this.debits = debits;
			this.decision = decision;
		}

		private boolean release() {
			return this.held.compareAndSet(true, false);
		}

		Charge charge() {
			return this.charge;
		}

		/**
		 * Debits of so much, with the time at which each was charged. What did not fit in
		 * shadow was not.
		 */
		Stream<Debit> debits(long cost) {
			List<LimitDecision> limits = Stream
				.concat(this.decision.limits().stream(), this.decision.shadows().stream())
				.toList();
			return IntStream.range(0, limits.size())
				.filter((index) -> isOfCharge(this.debits.get(index)) && limits.get(index).allowed())
				.mapToObj((index) -> placed(this.debits.get(index), cost, limits.get(index)));
		}

		private boolean isOfCharge(Debit debit) {
			return debit.clause().policy().equals(this.charge.policy()) && debit.key().equals(this.charge.key());
		}

		private Debit placed(Debit debit, long cost, LimitDecision limit) {
			return new Debit(debit.clause(), debit.key(), cost, this.decision.storeTimeMicros() + limit.waitMicros());
		}

	}

}
