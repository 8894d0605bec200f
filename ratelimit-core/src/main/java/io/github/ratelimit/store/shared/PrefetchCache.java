package io.github.ratelimit.store.shared;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache of the prefetched permits of busy keys. Requests spend these
 * without a round trip, while it makes no difference when the permits were charged.
 *
 * <p>
 * A prefetch never takes the slot of one with permits left. A script run must reserve a
 * slot before it prefetches, so only one run per slot does, and its permits have a slot
 * when they come. Permits that are unspent when a prefetch ends are refunded, as far as
 * the store still counts them.
 */
public final class PrefetchCache {

	private static final int SLOTS = 16_384;

	/** The shortest time that a key must be busy to have a prefetch. */
	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

	private final DirectMappedCache<Prefetch> slots = new DirectMappedCache<>(SLOTS);

	private final LongSupplier nanoClock;

	private final Function<StoreRequest, CompletableFuture<?>> refunds;

	private volatile boolean closed;

	/**
	 * Creates an empty cache.
	 * @param nanoClock a clock like {@link System#nanoTime}
	 * @param refunds refunds permits without blocking
	 */
	public PrefetchCache(LongSupplier nanoClock, Function<StoreRequest, CompletableFuture<?>> refunds) {
		this.nanoClock = nanoClock;
		this.refunds = refunds;
	}

	/** Returns whether permits may be prefetched for such requests. */
	public static boolean isPrefetchable(StoreRequest request) {
		return requestsPerPrefetch(request) > 1;
	}

	/** Returns the number of further requests for which a run prefetches permits. */
	static long prefetched(StoreRequest request) {
		return requestsPerPrefetch(request) - 1;
	}

	/** Spends prefetched permits, or returns null if there are too few. */
	public @Nullable Decision trySpend(StoreRequest request) {
		Prefetch prefetch = isPrefetchable(request) ? prefetch(request) : null;
		return (prefetch != null) ? prefetch.trySpend(request, this.nanoClock.getAsLong()) : null;
	}

	/**
	 * Returns what an acquisition would be decided, as it may spend the unspent permits
	 * of this instance, which the store counts as spent. Spends none.
	 * @param peek the request
	 * @param decision the decision of the store on it
	 */
	public Decision withUnspent(StoreRequest peek, Decision decision) {
		Prefetch prefetch = peek.with(StoreOperation.ACQUIRE).isImmediate() ? this.slots.get(peek) : null;
		return (prefetch != null) ? prefetch.withUnspent(peek, decision, this.nanoClock.getAsLong()) : decision;
	}

	/**
	 * Reserves the slot of a busy key for a prefetch, which must end by {@link #keep} or
	 * {@link #abandon}.
	 * @return the prefetch to replace, which is over; {@code null} if nothing may be
	 * prefetched
	 */
	@Nullable Prefetch tryRenew(StoreRequest request) {
		Prefetch latest = prefetch(request);
		long now = this.nanoClock.getAsLong();
		if (latest == null || this.closed || !latest.isBusy(now, SHORTEST) || !latest.tryReserveRenewal(now)) {
			return null;
		}
		tryRefund(latest);
		return latest;
	}

	/**
	 * Keeps a prefetch instead of one that is over. One without permits is kept too, as
	 * it shows for how long its key is busy. A prefetch from before a change of the limit
	 * is lost: a refund would bring the count under the former limit.
	 * @param renewed the prefetch that was reserved for it; without it, the new prefetch
	 * has no permits
	 */
	void keep(Prefetch prefetch, @Nullable Prefetch renewed) {
		Prefetch before = (renewed != null) ? renewed : this.slots.get(prefetch.request());
		boolean isOutdated = before != null && before.isOfOtherLimits(prefetch.request());
		boolean isFree = renewed != null || before == null || isOutdated
				|| before.tryReserveRenewal(this.nanoClock.getAsLong());
		boolean isKept = isFree && this.slots.replace(prefetch.request(), before, prefetch);
		if (isKept && before != null && !isOutdated) {
			tryRefund(before);
		}
		if (!isKept && this.closed) {
			tryRefund(prefetch);
		}
	}

	/** Ends a prefetch that failed. The next run prefetches nothing. */
	void abandon(@Nullable Prefetch renewed) {
		if (renewed != null) {
			this.slots.replace(renewed.request(), renewed, null);
		}
	}

	/**
	 * Refunds a prefetch of the same counts if that makes room for a request.
	 * @param request the request
	 * @param denial the decision on it
	 * @return whether the request may fit now
	 */
	boolean tryMakeRoom(StoreRequest request, Decision denial) {
		Prefetch prefetch = this.slots.get(request);
		return prefetch != null && prefetch.sharesKeyWith(request) && !prefetch.isFor(request)
				&& prefetch.causesDenial(request, denial) && tryRefund(prefetch);
	}

	/** Evicts the prefetches of counts that the store drops. */
	public void evict(StoreRequest request) {
		this.slots.removeIf((prefetch) -> prefetch.sharesKeyWith(request));
	}

	/** Evicts the prefetches of counts that another instance has dropped. */
	public void evict(Predicate<PermitRequest> counts) {
		this.slots.removeIf((prefetch) -> prefetch.permits().stream().anyMatch(counts));
	}

	/** Permits prefetches again. */
	public void open() {
		this.closed = false;
	}

	/**
	 * Refunds all unspent permits and waits for that. Nothing is prefetched from then on.
	 */
	public void close() {
		this.closed = true;
		CompletableFuture<?>[] refunds = this.slots.removeIf((prefetch) -> true)
			.stream()
			.map(this::refund)
			.filter((refund) -> refund != null)
			.toArray(CompletableFuture<?>[]::new);
		try {
			CompletableFuture.allOf(refunds).join();
		}
		catch (CompletionException ex) {
			// As in a crash: permits that cannot be refunded are lost
		}
	}

	private boolean tryRefund(Prefetch prefetch) {
		return refund(prefetch) != null;
	}

	/** Refunds what is unspent, or returns null if nothing is. */
	private @Nullable CompletableFuture<?> refund(Prefetch prefetch) {
		List<PermitRequest> unspent = prefetch.removeUnspent(this.nanoClock.getAsLong());
		return unspent.isEmpty() ? null : this.refunds.apply(new StoreRequest(StoreOperation.REFUND, unspent));
	}

	private @Nullable Prefetch prefetch(StoreRequest request) {
		Prefetch prefetch = this.slots.get(request);
		return (prefetch != null && prefetch.isFor(request)) ? prefetch : null;
	}

	private static long requestsPerPrefetch(StoreRequest request) {
		List<PermitRequest> permits = request.permits();
		long requests = Long.MAX_VALUE;
		for (int i = 0; i < permits.size(); i++) {
			PermitRequest permit = permits.get(i);
			long prefetch = permit.policyLimit().prefetch();
			if (prefetch == 0) {
				return 0; // as usual, without a division
			}
			requests = Math.min(requests, prefetch / Math.max(1, permit.cost()));
		}
		return (requests > 1 && request.isImmediate()) ? requests : 0;
	}

}
