package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;

/**
 * The decision on a single debit, as most are, in as little memory as can be: what its
 * limit said is put into words when it is asked for.
 */
final class SingleDecision extends Decision {

	private final Debit debit;

	private final long wait;

	private final long remaining;

	private final long reset;

	SingleDecision(long storeTimeMicros, Debit debit, long wait, long remaining, long reset) {
		super(storeTimeMicros);
		this.debit = debit;
		this.wait = wait;
		this.remaining = remaining;
		this.reset = reset;
	}

	@Override
	public List<LimitDecision> limits() {
		return this.debit.isInShadow() ? List.of() : said();
	}

	@Override
	public List<LimitDecision> shadows() {
		return this.debit.isInShadow() ? said() : List.of();
	}

	private List<LimitDecision> said() {
		return List.of(this.debit.decision(this.wait, this.remaining, this.reset));
	}

	@Override
	public boolean allowed() {
		return this.debit.isInShadow() || this.wait <= this.debit.patience();
	}

	@Override
	public long retryAfterMicros() {
		return allowed() ? 0 : this.wait - this.debit.patience();
	}

	@Override
	public long waitMicros() {
		return (allowed() && !this.debit.isInShadow()) ? this.wait : 0;
	}

}
