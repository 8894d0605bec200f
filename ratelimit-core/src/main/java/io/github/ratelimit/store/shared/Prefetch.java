package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * Prefetched permits for equal requests. A prefetch without permits still shows for how
 * long its key is busy. Thread-safe.
 */
final class Prefetch {

	private final StoreRequest request;

	private final Decision decision;

	private final AtomicLong requestsLeft;

	private final long askedAt;

	private final long validFor;

	private final AtomicBoolean renewed = new AtomicBoolean();

	/**
	 * Creates a prefetch.
	 * @param request the request that may spend the permits
	 * @param decision the decision on the last request that was charged
	 * @param admitted the number of requests that were charged
	 * @param left the number of these that are unspent
	 * @param askedAt when the run was sent, by a clock like {@link System#nanoTime}
	 */
	Prefetch(StoreRequest request, Decision decision, long admitted, long left, long askedAt) {
		this.request = request;
		this.decision = AgedDecision.kept(decision);
		this.requestsLeft = new AtomicLong(left);
		this.askedAt = askedAt;
		this.validFor = nanosLeft(admitted, askedAt);
	}

	StoreRequest request() {
		return this.request;
	}

	boolean isFor(StoreRequest request) {
		return this.request.equals(request);
	}

	/** Spends the permits of one request, or returns null if none are left or valid. */
	@Nullable Decision trySpend(StoreRequest request, long now) {
		long age = now - this.askedAt;
		long left = (age < this.validFor) ? this.requestsLeft.decrementAndGet() : -1;
		return (left >= 0) ? AgedDecision.of(this.decision, age, request, left) : null;
	}

	/** Reserves the right to replace this prefetch, if it is over. */
	boolean tryReserveRenewal(long now) {
		return isOver(now) && this.renewed.compareAndSet(false, true);
	}

	boolean isBusy(long now, long shortest) {
		return nanosLeft(0, now) >= shortest;
	}

	/**
	 * Removes the unspent permits, and returns the refund of those that the store still
	 * counts. Permits count as charged at the last moment at which that makes no
	 * difference.
	 */
	List<PermitRequest> removeUnspent(long now) {
		long left = this.requestsLeft.getAndSet(0);
		if (left <= 0 || nanosLeft(0, now) <= 0) {
			return List.of();
		}
		long time = this.decision.storeTimeMicros()
				+ TimeUnit.NANOSECONDS.toMicros(Math.max(0, Math.min(now - this.askedAt, this.validFor)));
		return permits().stream().map((permit) -> permit.refund(left * permit.cost(), time)).toList();
	}

	/**
	 * Adds the unspent permits that the store still counts to what a request finds there.
	 */
	Decision withUnspent(StoreRequest peek, Decision decision, long now) {
		if (nanosLeft(0, now) <= 0 || isOfOtherLimits(peek)) {
			return decision;
		}
		List<LimitDecision> limits = new ArrayList<>(decision.limits().size());
		for (int i = 0; i < peek.permits().size(); i++) {
			limits.add(withUnspent(peek.permits().get(i), decision.limits().get(i)));
		}
		return peek.decide(decision.storeTimeMicros(), limits);
	}

	private LimitDecision withUnspent(PermitRequest permit, LimitDecision limit) {
		LimitDecision counted = limit.withRemaining(limit.remaining() + unspent(permit));
		return (counted.remaining() >= permit.cost()) ? counted.withRetryAfter(0) : counted;
	}

	/** Returns whether a request was denied only because of the unspent permits. */
	boolean causesDenial(StoreRequest request, Decision denial) {
		if (isOfOtherLimits(request)) {
			return false;
		}
		for (int i = 0; i < request.permits().size(); i++) {
			PermitRequest permit = request.permits().get(i);
			LimitDecision limit = denial.limits().get(i);
			if (!limit.allowed() && limit.remaining() + unspent(permit) < permit.cost()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns whether one of the counts had another limit when these permits were
	 * charged.
	 */
	boolean isOfOtherLimits(StoreRequest other) {
		return other.permits()
			.stream()
			.anyMatch((count) -> permits().stream()
				.anyMatch((permit) -> permit.sharesCountWith(count) && !permit.limit().equals(count.limit())));
	}

	boolean sharesKeyWith(StoreRequest other) {
		return other.permits()
			.stream()
			.anyMatch((count) -> permits().stream().anyMatch((permit) -> permit.sharesKeyWith(count)));
	}

	private boolean isOver(long now) {
		return this.requestsLeft.get() <= 0 || now - this.askedAt >= this.validFor;
	}

	/**
	 * Returns for how many nanoseconds from now the permits of some requests may be
	 * spent.
	 */
	private long nanosLeft(long requests, long now) {
		long micros = Long.MAX_VALUE;
		for (int i = 0; i < permits().size(); i++) {
			PermitRequest permit = permits().get(i);
			micros = Math.min(micros,
					permit.limit()
						.formula()
						.prefetchTime(requests * permit.cost(), this.decision.limits().get(i).resetAfterMicros()));
		}
		return TimeUnit.MICROSECONDS.toNanos(micros) - (now - this.askedAt);
	}

	private long unspent(PermitRequest count) {
		long left = Math.max(0, this.requestsLeft.get());
		return permits().stream()
			.filter((permit) -> permit.sharesCountWith(count))
			.mapToLong((permit) -> left * permit.cost())
			.sum();
	}

	List<PermitRequest> permits() {
		return this.request.permits();
	}

}
