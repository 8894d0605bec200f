package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache of denials, which saves requests that the store would deny. A
 * denial expires when the request would be admitted, or when a request for fewer permits
 * might be, which would delay it; and at the latest after a maximum age, as another
 * instance may refund or reset what was spent.
 *
 * <p>
 * The store decides at some moment between request and reply. Expiry counts from the
 * request and {@code Retry-After} from the reply, so both err on the safe side.
 */
public final class DenialCache {

	private final DirectMappedCache<Denial> slots;

	private final long maxAge;

	private final LongSupplier nanoClock;

	/** The number of refunds and resets by this instance. */
	private final AtomicLong epoch = new AtomicLong();

	/**
	 * Creates an empty cache.
	 * @param maxSize the most denials in it, rounded down to a power of two; 0 for none
	 * @param maxAge the longest time to cache a denial
	 * @param nanoClock a clock like {@link System#nanoTime}
	 */
	public DenialCache(int maxSize, Duration maxAge, LongSupplier nanoClock) {
		this.slots = new DirectMappedCache<>(maxSize);
		this.maxAge = maxAge.toNanos();
		this.nanoClock = nanoClock;
	}

	/** Returns the epoch, to be read before a request is sent. */
	long epoch() {
		return this.epoch.get();
	}

	long now() {
		return this.nanoClock.getAsLong();
	}

	/** Returns the denial that the store would reply with now. */
	public @Nullable Decision get(StoreRequest request) {
		Denial denial = this.slots.get(request);
		if (denial == null) {
			return null;
		}
		long now = now();
		return (now - denial.askedAt < denial.validFor && denial.request.equals(request))
				? AgedDecision.of(denial.decision, now - denial.repliedAt, request, 0) : null;
	}

	/**
	 * Caches a denial, unless this instance has refunded or reset permits since the
	 * request was sent, or a limit on concurrency denied it. An admission evicts what was
	 * cached for the same counts, as other requests have to wait longer.
	 * @param askedAt when the request was sent
	 * @param epoch the epoch at that time
	 */
	void learn(StoreRequest request, Decision decision, long askedAt, long epoch) {
		if (decision.allowed()) {
			evictDenials(request);
		}
		else if (request.isImmediate() && request.isForOneKey() && epoch == epoch()
				&& !isDeniedByConcurrency(request, decision)) {
			long validFor = Math.min(this.maxAge, TimeUnit.MICROSECONDS.toNanos(fullFor(request, decision)));
			Denial denial = new Denial(request, AgedDecision.kept(decision), askedAt, now(), validFor);
			this.slots.put(request, denial);
			if (epoch != epoch()) {
				this.slots.replace(request, denial, null); // evicted before it was there
			}
		}
	}

	/** Returns for how long the limits admit no request for fewer permits either. */
	private static long fullFor(StoreRequest request, Decision decision) {
		List<PermitRequest> permits = request.permits();
		long longest = 0;
		for (int i = 0; i < permits.size(); i++) {
			LimitDecision limit = decision.limits().get(i);
			long full = limit.limit().formula().fullFor(permits.get(i).required(), limit.retryAfterMicros());
			longest = Math.max(longest, full);
		}
		return longest;
	}

	/**
	 * Returns whether a limit on concurrency denied the request. How long that holds is
	 * unknown, as its permits return when calls end.
	 */
	private static boolean isDeniedByConcurrency(StoreRequest request, Decision decision) {
		List<PermitRequest> permits = request.permits();
		for (int i = 0; i < permits.size(); i++) {
			if (permits.get(i).limit().isConcurrency() && !decision.limits().get(i).allowed()) {
				return true;
			}
		}
		return false;
	}

	/** Evicts the denials of counts that may have changed. */
	public void evict(StoreRequest request) {
		this.epoch.incrementAndGet();
		evictDenials(request);
	}

	/** Evicts the denials of counts that another instance has dropped. */
	public void evict(Predicate<PermitRequest> counts) {
		this.epoch.incrementAndGet();
		this.slots.removeIf((denial) -> denial.request.permits().stream().anyMatch(counts));
	}

	private void evictDenials(StoreRequest request) {
		List<PermitRequest> permits = request.permits();
		for (int i = 0; i < permits.size(); i++) {
			this.slots.remove(permits.get(i));
		}
	}

	private record Denial(StoreRequest request, Decision decision, long askedAt, long repliedAt, long validFor) {

	}

	/**
	 * A handler of replies that caches denials. It is created before the request is sent,
	 * as the cache needs that time.
	 *
	 * @param <R> the type of the reply
	 * @param <T> the type of the result
	 */
	abstract static class LearningHandler<R, T> implements ReplyHandler<R, T> {

		private final DenialCache denials;

		private final long askedAt;

		private final long epoch;

		LearningHandler(DenialCache denials) {
			this.denials = denials;
			this.epoch = denials.epoch();
			this.askedAt = denials.now();
		}

		/** Returns when the request was sent, by the clock of the cache. */
		final long askedAt() {
			return this.askedAt;
		}

		/** Caches a decision if it is a denial. */
		final void learn(StoreRequest request, Decision decision) {
			this.denials.learn(request, decision, this.askedAt, this.epoch);
		}

		/** Evicts the denials of counts that may have changed. */
		final void evict(StoreRequest request) {
			this.denials.evict(request);
		}

	}

}
