package io.github.ratelimit.spring.ai;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.charge.Handover;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;

/**
 * The advisor that charges each call of a model, after all others: it sees the prompt as
 * the model does, and each call of a request whose tools the model calls.
 */
final class ModelCallAdvisor implements CallAdvisor, StreamAdvisor {

	/** After the advisors that repeat calls, and before the call itself. */
	private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private static final Log logger = LogFactory.getLog(ModelCallAdvisor.class);

	private final ChatCharges charges;

	private final ChatCallers callers;

	private final RateLimiter limiter;

	private final ProviderPauses pauses;

	ModelCallAdvisor(ChatCharges charges, ChatCallers callers, RateLimiter limiter, ProviderPauses pauses) {
		this.charges = charges;
		this.callers = callers;
		this.limiter = limiter;
		this.pauses = pauses;
	}

	/** Returns the charges of calls, which may be replaced. */
	ChatCharges charges() {
		return this.charges;
	}

	@Override
	public String getName() {
		return "Rate Limit";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		ModelCall call = this.charges.call(request, this.callers::ofThread);
		if (call.charges().isEmpty()) {
			return chain.nextCall(request);
		}
		this.pauses.requireRunning(call.model());
		Reservation reservation = allowed(call, this.limiter.reserve(call.charges()));
		try {
			ChatClientResponse response = chain.nextCall(request);
			call.responded(response);
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

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return Flux.defer(() -> {
			ModelCall call = this.charges.call(request, this.callers::ofThread);
			return call.charges().isEmpty() ? chain.nextStream(request) : stream(call, chain.nextStream(request));
		});
	}

	/**
	 * Returns the response of a call that is charged before and adjusted after it, before
	 * its subscriber learns of the end.
	 */
	private Flux<ChatClientResponse> stream(ModelCall call, Flux<ChatClientResponse> response) {
		Function<Reservation, Publisher<Void>> adjust = (reservation) -> adjust(call, reservation);
		return Flux.usingWhen(reserve(call), (reservation) -> response.doOnNext(call::received), adjust,
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
