package io.github.ratelimit.store.memory;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.Counts;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one request, all of which a thread owns while it decides. Arrays,
 * because lists and streams would take longer than the decision.
 */
final class CounterAccesses {

	private final StoreRequest request;

	private final LongSupplier clock;

	/** The counters in the order of the permits. */
	private final Counter[] counters;

	/** The counters in the order in which their monitors are taken, each once. */
	private final Counter[] ordered;

	private int size;

	private int distinct;

	/**
	 * Creates the accesses of a request, to which its counters are still to be added.
	 */
	CounterAccesses(StoreRequest request, LongSupplier clock) {
		this.request = request;
		this.clock = clock;
		this.counters = new Counter[request.permits().size()];
		this.ordered = new Counter[this.counters.length];
	}

	/** Adds the counter of the next permit. */
	void add(Counter counter) {
		this.counters[this.size] = counter;
		this.size++;
		int at = this.distinct;
		while (at > 0 && this.ordered[at - 1].order > counter.order) {
			at--;
		}
		if (at == 0 || this.ordered[at - 1] != counter) {
			System.arraycopy(this.ordered, at, this.ordered, at + 1, this.distinct - at);
			this.ordered[at] = counter;
			this.distinct++;
		}
	}

	/** Decides, or returns {@code null} if a counter was dropped meanwhile. */
	@Nullable Decision tryDecide() {
		return tryDecide(0);
	}

	private @Nullable Decision tryDecide(int owned) {
		if (owned == this.distinct) {
			return decide();
		}
		Counter next = this.ordered[owned];
		synchronized (next) {
			return next.isRetired() ? null : tryDecide(owned + 1);
		}
	}

	/** Decides by numbers if every count is one, which spares states and time. */
	private Decision decide() {
		boolean mayBeNumbers = this.request.operation() == StoreOperation.ACQUIRE && this.distinct == this.size;
		TakenNumbers numbers = mayBeNumbers ? TakenNumbers.of(this.request.permits(), this.counters) : null;
		Decision decision = (numbers != null) ? numbers.acquire(this.clock) : null;
		return (decision != null) ? decision : decideByStates(mayBeNumbers);
	}

	/**
	 * Decides under the locks. The clock is read there, so that a counter never sees time
	 * run back because two threads overtook each other.
	 */
	private Decision decideByStates(boolean mayBeNumbers) {
		List<PermitRequest> permits = this.request.permits();
		Count[] counts = new Count[this.size];
		long time = this.clock.getAsLong();
		boolean numbersNext = mayBeNumbers;
		for (int i = 0; i < this.size; i++) {
			counts[i] = this.counters[i].count();
			numbersNext &= permits.get(i).limit().longFormula() != null;
		}
		Decision decision = Counts.decide(this.request, Arrays.asList(counts), time);
		for (int i = 0; i < this.size && numbersNext; i++) {
			this.counters[i].exit(permits.get(i).limit(), time);
		}
		return decision;
	}

}
