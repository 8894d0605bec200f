package io.github.ratelimit.store;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * A store over a map, by compare and set: all that a store has to do. What changes the
 * map has its monitor, as transactions of a database do.
 */
final class MapStore implements RateLimitStore, DetachedReservations {

	private static final int PLACE_BYTES = 3 * Long.BYTES;

	private final Map<List<?>, Kept> counts = new ConcurrentHashMap<>();

	private final Map<UUID, Detached> detached = new ConcurrentHashMap<>();

	private final LongSupplier clock;

	MapStore(LongSupplier clock) {
		this.clock = clock;
	}

	@Override
	public String name() {
		return "map";
	}

	@Override
	public Decision execute(StoreRequest request) {
		List<List<?>> keys = request.permits().stream().<List<?>>map(MapStore::key).toList();
		while (true) {
			@Nullable Kept[] read = keys.stream().map(this.counts::get).toArray(Kept[]::new);
			List<Count> decided = Stream.of(read).map(MapStore::count).toList();
			Decision decision = Counts.decide(request, decided, this.clock.getAsLong());
			if (tryKeep(keys, read, decided)) {
				return decision;
			}
		}
	}

	private static List<?> key(PermitRequest permit) {
		PolicyLimit limit = permit.policyLimit();
		return List.of(limit.counter(), limit.limit().periodMicros(), limit.position(), permit.key());
	}

	private static Count count(@Nullable Kept kept) {
		return (kept != null) ? Count.read(kept.writer, kept.numbers) : new Count();
	}

	/** Keeps the counts that have changed, unless another call has changed one of all. */
	@SuppressWarnings("ReferenceEquality") // each change makes another
	private synchronized boolean tryKeep(List<List<?>> keys, @Nullable Kept[] read, List<Count> decided) {
		if (!IntStream.range(0, read.length).allMatch((index) -> this.counts.get(keys.get(index)) == read[index])) {
			return false;
		}
		IntStream.range(0, read.length).filter((index) -> decided.get(index).isChanged()).forEach((index) -> {
			Count count = decided.get(index);
			this.counts.put(keys.get(index), new Kept(Objects.requireNonNull(count.writer()), count.numbers()));
		});
		return true;
	}

	/** Drops the counts that have run out, and returns the number of the others. */
	synchronized int size() {
		this.counts.values().removeIf((kept) -> count(kept).expiresAt() <= this.clock.getAsLong());
		return this.counts.size();
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.completedFuture(execute(request));
	}

	@Override
	public DetachedReservations detachedReservations() {
		return this;
	}

	@Override
	public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
		UUID id = UUID.randomUUID();
		long end = this.clock.getAsLong() + lifeMicros;
		this.detached.put(id, new Detached(charge, end, refundUnsettled));
		return CompletableFuture.completedFuture(ByteBuffer.allocate(PLACE_BYTES)
			.putLong(end)
			.putLong(id.getMostSignificantBits())
			.putLong(id.getLeastSignificantBits())
			.array());
	}

	@Override
	public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
		if (place.length != PLACE_BYTES) {
			throw new IllegalArgumentException("a place has " + PLACE_BYTES + " bytes, had " + place.length);
		}
		ByteBuffer bytes = ByteBuffer.wrap(place);
		boolean isOver = bytes.getLong() <= this.clock.getAsLong();
		UUID id = new UUID(bytes.getLong(), bytes.getLong());
		return CompletableFuture.completedFuture(id)
			.thenApply((known) -> isOver ? Settlement.EXPIRED : settle(known, correction));
	}

	private synchronized Settlement settle(UUID id, Function<DetachedCharge, StoreRequest> correction) {
		Detached known = this.detached.get(id);
		if (known == null || known.charge == null) {
			return (known == null) ? Settlement.UNKNOWN : Settlement.ALREADY_SETTLED;
		}
		execute(correction.apply(known.charge));
		this.detached.put(id, new Detached(null, known.end, false));
		return Settlement.SETTLED;
	}

	@Override
	public synchronized CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
		long now = this.clock.getAsLong();
		this.detached.values().removeIf((known) -> known.end <= now && tryRefund(known, refunded));
		return CompletableFuture.completedFuture(this.detached.values()
			.stream()
			.filter(Detached::refundUnsettled)
			.mapToLong((known) -> known.end - now)
			.min());
	}

	private boolean tryRefund(Detached ended, Consumer<DetachedCharge> refunded) {
		if (ended.charge != null && ended.refundUnsettled) {
			execute(ended.charge.correctedTo(0));
			refunded.accept(ended.charge);
		}
		return true;
	}

	/** A count as it is kept. */
	@SuppressWarnings("ArrayRecordComponent") // never compared but by reference
	private record Kept(Limit writer, long[] numbers) {

	}

	/** A charge as it is kept, without it once it was settled. */
	private record Detached(@Nullable DetachedCharge charge, long end, boolean refundUnsettled) {

	}

}
