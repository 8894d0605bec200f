package io.github.ratelimit.store.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The detached reservations of a memory store, which end with this process. Their number
 * is bounded: a new one takes the place of the one whose time is over first, which stays
 * charged. Guarded by its own monitor, within which the store takes those of counters.
 */
final class MemoryDetachedReservations implements DetachedReservations {

	private static final int PLACE_BYTES = 3 * Long.BYTES;

	/** The most ended reservations that a call which adds or settles one removes. */
	private static final int FEW = 64;

	private final int max;

	private final LongSupplier clock;

	private final Consumer<StoreRequest> store;

	private final Map<UUID, Kept> byId = new HashMap<>();

	private final TreeSet<Kept> byEnd = new TreeSet<>(
			Comparator.comparingLong((Kept kept) -> kept.end).thenComparing((kept) -> kept.id));

	/**
	 * Creates a collection without reservations.
	 * @param max the most charges to keep
	 * @param clock the clock of the store, in microseconds
	 * @param store executes corrections
	 */
	MemoryDetachedReservations(int max, LongSupplier clock, Consumer<StoreRequest> store) {
		this.max = max;
		this.clock = clock;
		this.store = store;
	}

	@Override
	public synchronized CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
		long now = this.clock.getAsLong();
		removeEnded(now);
		while (this.byEnd.size() >= this.max) {
			remove(this.byEnd.first());
		}
		Kept kept = new Kept(UUID.randomUUID(), now + lifeMicros, refundUnsettled, charge);
		this.byId.put(kept.id, kept);
		this.byEnd.add(kept);
		return CompletableFuture.completedFuture(ByteBuffer.allocate(PLACE_BYTES)
			.putLong(kept.id.getMostSignificantBits())
			.putLong(kept.id.getLeastSignificantBits())
			.putLong(kept.end)
			.array());
	}

	@Override
	public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
		if (place.length != PLACE_BYTES) {
			throw new IllegalArgumentException("a place has " + PLACE_BYTES + " bytes, had " + place.length);
		}
		ByteBuffer bytes = ByteBuffer.wrap(place);
		UUID id = new UUID(bytes.getLong(), bytes.getLong());
		try {
			return CompletableFuture.completedFuture(settle(id, bytes.getLong(), correction));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private synchronized Settlement settle(UUID id, long end, Function<DetachedCharge, StoreRequest> correction) {
		long now = this.clock.getAsLong();
		removeEnded(now);
		Kept kept = this.byId.get(id);
		if (kept == null || kept.end <= now) {
			return (end <= now) ? Settlement.EXPIRED : Settlement.UNKNOWN;
		}
		DetachedCharge charge = kept.charge;
		if (charge == null) {
			return Settlement.ALREADY_SETTLED;
		}
		StoreRequest request = correction.apply(charge);
		kept.charge = null;
		execute(request);
		return Settlement.SETTLED;
	}

	@Override
	public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
		List<DetachedCharge> ended = new ArrayList<>();
		OptionalLong next = refundDue(ended);
		ended.forEach(refunded);
		return CompletableFuture.completedFuture(next);
	}

	private synchronized OptionalLong refundDue(List<DetachedCharge> refunded) {
		long now = this.clock.getAsLong();
		while (!this.byEnd.isEmpty() && this.byEnd.first().end <= now) {
			Kept ended = this.byEnd.first();
			remove(ended);
			DetachedCharge charge = ended.charge;
			if (charge != null && ended.refundUnsettled) {
				execute(charge.correctedTo(0));
				refunded.add(charge);
			}
		}
		for (Kept kept : this.byEnd) {
			if (kept.isToBeRefunded()) {
				return OptionalLong.of(kept.end - now);
			}
		}
		return OptionalLong.empty();
	}

	/** Removes some reservations whose time is over, except those to be refunded. */
	private void removeEnded(long now) {
		this.byEnd.stream()
			.limit(FEW)
			.takeWhile((kept) -> kept.end <= now)
			.filter((kept) -> !kept.isToBeRefunded())
			.toList()
			.forEach(this::remove);
	}

	private void remove(Kept kept) {
		this.byEnd.remove(kept);
		this.byId.remove(kept.id);
	}

	private void execute(StoreRequest correction) {
		if (!correction.permits().isEmpty()) {
			this.store.accept(correction);
		}
	}

	/** A charge until its time is over. */
	private static final class Kept {

		private final UUID id;

		/** The time when it can no longer be settled. */
		private final long end;

		private final boolean refundUnsettled;

		/** The charge; {@code null} once it was settled. */
		private @Nullable DetachedCharge charge;

		Kept(UUID id, long end, boolean refundUnsettled, DetachedCharge charge) {
			this.id = id;
			this.end = end;
			this.refundUnsettled = refundUnsettled;
			this.charge = charge;
		}

		boolean isToBeRefunded() {
			return this.refundUnsettled && this.charge != null;
		}

	}

}
