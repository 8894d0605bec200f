package io.github.ratelimit.detached;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.Delays;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The detached reservations of a limiter: those of its store, and those that it has
 * charged in memory while the store failed. Thread-safe.
 */
public final class Detachments {

	/** The most charges of a reservation that can be detached. */
	public static final int MOST_CHARGES = ReservationToken.MOST_PLACES;

	private final ObjLongConsumer<DetachedCharge> corrected;

	private final Side shared;

	private final Side local;

	/**
	 * Creates the detached reservations of a limiter.
	 * @param store the store of the limiter
	 * @param local the store that it falls back to
	 * @param corrected receives each charge that this corrects, and by how much
	 */
	public Detachments(RateLimitStore store, RateLimitStore local, ObjLongConsumer<DetachedCharge> corrected) {
		this(store, local, corrected, (micros) -> Delays.after(micros, TimeUnit.MICROSECONDS));
	}

	Detachments(RateLimitStore store, RateLimitStore local, ObjLongConsumer<DetachedCharge> corrected,
			LongFunction<CompletableFuture<Void>> delays) {
		this.corrected = corrected;
		Consumer<DetachedCharge> refunded = (charge) -> corrected.accept(charge, -charge.cost());
		this.shared = new Side(store, delays, refunded);
		this.local = new Side(local, delays, refunded);
	}

	/**
	 * Detaches charges.
	 * @param isLocal whether they were charged in memory, as the store had failed
	 * @param terms the terms of the token
	 * @param charges takes the charges from their reservation
	 * @return their token
	 * @throws UnsupportedOperationException if the store keeps no detached reservations;
	 * the charges are not taken
	 */
	public CompletionStage<String> detach(boolean isLocal, TokenTerms terms, Supplier<List<DetachedCharge>> charges) {
		Side side = isLocal ? this.local : this.shared;
		DetachedReservations reservations = side.reservations();
		long life = TimeUnit.MICROSECONDS.convert(terms.expiry());
		CompletionStage<List<byte[]>> kept = CompletableFuture.completedStage(new ArrayList<>());
		for (DetachedCharge charge : charges.get()) {
			kept = kept.thenCompose((places) -> reservations.keep(charge, life, terms.refundUnsettled())
				.thenApply((place) -> added(places, place)));
		}
		return kept.whenComplete((places, failure) -> {
			if (terms.refundUnsettled()) {
				side.refunds().within(Math.min(life, UnsettledRefunds.FIRST_LOOK));
			}
		}).thenApply((places) -> new ReservationToken(isLocal, terms.refundUnsettled(), places).text());
	}

	private static <T> List<T> added(List<T> all, T next) {
		all.add(next);
		return all;
	}

	/**
	 * Settles a reservation that any process has detached.
	 * @param token its token
	 * @param actual returns what a charge actually costs
	 * @return whether it was settled now, or why not
	 * @throws IllegalArgumentException if the text is no token
	 */
	public CompletionStage<Settlement> settle(String token, ToLongFunction<DetachedCharge> actual) {
		ReservationToken parsed = ReservationToken.parse(token);
		Side side = parsed.local() ? this.local : this.shared;
		CompletionStage<List<Settlement>> settled = CompletableFuture.completedStage(new ArrayList<>());
		for (byte[] place : parsed.places()) {
			settled = settled
				.thenCompose((before) -> settle(side.reservations(), place, new Correction(actual, this.corrected))
					.thenApply((settlement) -> added(before, settlement)));
		}
		if (parsed.refunded()) {
			side.refunds().within(UnsettledRefunds.FIRST_LOOK);
		}
		return settled.thenApply(Settlement::of);
	}

	private static CompletionStage<Settlement> settle(DetachedReservations reservations, byte[] place,
			Correction correction) {
		try {
			return reservations.settle(place, correction).thenApply(correction::settled);
		}
		catch (IllegalArgumentException ex) {
			throw ReservationToken.malformed();
		}
	}

	/** Stops looking for reservations to refund. */
	public void close() {
		this.shared.close();
		this.local.close();
	}

	/** A store, and the timer of its refunds, which only such refunds need. */
	private static final class Side {

		private final RateLimitStore store;

		private final LongFunction<CompletableFuture<Void>> delays;

		private final Consumer<DetachedCharge> refunded;

		private @Nullable UnsettledRefunds refunds;

		private boolean closed;

		Side(RateLimitStore store, LongFunction<CompletableFuture<Void>> delays, Consumer<DetachedCharge> refunded) {
			this.store = store;
			this.delays = delays;
			this.refunded = refunded;
		}

		DetachedReservations reservations() {
			return this.store.detachedReservations();
		}

		synchronized UnsettledRefunds refunds() {
			if (this.refunds == null) {
				this.refunds = new UnsettledRefunds(reservations(), this.delays, this.refunded);
				if (this.closed) {
					this.refunds.close();
				}
			}
			return this.refunds;
		}

		synchronized void close() {
			this.closed = true;
			if (this.refunds != null) {
				this.refunds.close();
			}
		}

	}

}
