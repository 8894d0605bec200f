package io.github.ratelimit.spring.ai;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.charge.Handover;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A limiter of the calls of models. It reserves the charges of a call before the model is
 * called, and adjusts them to what the call has used. Thread-safe.
 */
final class ChargedCalls {

	private static final Log logger = LogFactory.getLog(ChargedCalls.class);

	private final RateLimiter limiter;

	private final ProviderPauses pauses;

	ChargedCalls(RateLimiter limiter, ProviderPauses pauses) {
		this.limiter = limiter;
		this.pauses = pauses;
	}

	/**
	 * Calls a model.
	 * @param call the call
	 * @param model calls the model
	 * @param usage returns the usage that a response reports, or null
	 * @return the response of the model
	 */
	<R> R call(ModelCall call, Supplier<R> model, Function<R, @Nullable TokenUsage> usage) {
		if (call.charges().isEmpty()) {
			return model.get();
		}
		this.pauses.requireRunning(call.model());
		Reservation reservation = allowed(call, this.limiter.reserve(call.charges()));
		try {
			R response = model.get();
			call.responded(usage.apply(response));
			return response;
		}
		catch (Throwable ex) {
			this.pauses.onFailure(call.model(), ex);
			throw ex;
		}
		finally {
			end(call, reservation);
		}
	}

	/** Ends a call, whose response a store that fails does not take away. */
	private void end(ModelCall call, Reservation reservation) {
		try {
			call.adjustments(reservation)
				.forEach((adjusted) -> this.limiter.adjust(adjusted.part(), adjusted.actual()));
		}
		catch (RateLimitStoreException ex) {
			logger.debug("Tokens could not be adjusted", ex);
		}
		this.limiter.release(reservation);
	}

	/**
	 * Returns the response of a call that is charged before and adjusted after it, before
	 * its subscriber learns of the end.
	 * @param call the call, for one subscription
	 * @param response the response of the model
	 * @param usage returns the usage that a part of the response reports, or null
	 * @return the response
	 */
	<R> Flux<R> stream(ModelCall call, Flux<R> response, Function<R, @Nullable TokenUsage> usage) {
		if (call.charges().isEmpty()) {
			return response;
		}
		Function<Reservation, Publisher<Void>> adjust = (reservation) -> adjust(call, reservation);
		return Flux.usingWhen(reserve(call),
				(reservation) -> response.doOnNext((part) -> call.received(usage.apply(part))), adjust,
				(reservation, failure) -> {
					this.pauses.onFailure(call.model(), failure);
					return adjust(call, reservation);
				}, adjust);
	}

	/**
	 * Reserves without blocking. A subscriber that cancels before is charged nothing. The
	 * model is not called on a thread of the store, as it may block.
	 */
	private Mono<Reservation> reserve(ModelCall call) {
		return Mono.just(call)
			.doOnNext((called) -> this.pauses.requireRunning(called.model()))
			.<CompletableFuture<Reservation>>handle(
					(called, sink) -> sink.next(this.limiter.reserveAsync(called.charges()).toCompletableFuture()))
			.flatMap((pending) -> Handover.whenDecided(pending, () -> Schedulers.boundedElastic()::schedule,
					this.limiter::refundAsync))
			.map((reservation) -> allowed(call, reservation));
	}

	/**
	 * Adjusts without blocking. The subscriber does not go on on a thread of the store.
	 */
	private Mono<Void> adjust(ModelCall call, Reservation reservation) {
		return Flux.defer(() -> Flux.fromIterable(call.adjustments(reservation)))
			.concatMap((adjusted) -> Mono
				.fromCompletionStage(() -> this.limiter.adjustAsync(adjusted.part(), adjusted.actual())))
			.onErrorResume(RateLimitStoreException.class, (ex) -> {
				logger.debug("Tokens could not be adjusted", ex);
				return Mono.empty();
			})
			.then(Mono.fromCompletionStage(() -> this.limiter.releaseAsync(reservation)))
			.publishOn(Schedulers.boundedElastic());
	}

	private static Reservation allowed(ModelCall call, Reservation reservation) {
		if (!reservation.decision().allowed()) {
			call.denied(reservation.decision());
			throw new RateLimitExceededException(reservation.decision());
		}
		return reservation;
	}

}
