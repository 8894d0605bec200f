package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.charge.Handover;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * A filter that keeps reactive calls under a policy, each subscription on its own,
 * without blocking.
 */
final class OutboundFilter implements ExchangeFilterFunction {

	private final OutboundPolicy policy;

	private final Function<ClientRequest, String> key;

	private final ToLongFunction<ClientRequest> cost;

	private final RateLimiter limiter;

	private final Scheduler scheduler;

	OutboundFilter(OutboundPolicy policy, Function<ClientRequest, String> key, ToLongFunction<ClientRequest> cost,
			RateLimiter limiter, Scheduler scheduler) {
		this.policy = policy;
		this.key = key;
		this.cost = cost;
		this.limiter = limiter;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			OutboundCall call = this.policy.call(this.key.apply(request), this.cost.applyAsLong(request));
			return Mono
				.usingWhen(admit(call), (reservation) -> next.exchange(request), (reservation) -> release(reservation))
				.doOnNext((response) -> call.onResponse(response.statusCode(), response.headers().asHttpHeaders()));
		});
	}

	/**
	 * Waits for the upstream again after the charge, as the upstream may have rejected
	 * another call meanwhile.
	 */
	private Mono<Reservation> admit(OutboundCall call) {
		return awaitUpstream(call).then(reserve(call))
			.flatMap((reservation) -> reservation.decision().allowed() ? awaitUpstream(call, reservation)
					: Mono.error(() -> new RateLimitExceededException(reservation.decision())));
	}

	/**
	 * Waits for the upstream after the charge. A subscriber that cancels meanwhile is
	 * charged nothing.
	 */
	private Mono<Reservation> awaitUpstream(OutboundCall call, Reservation reservation) {
		return awaitUpstream(call).doOnCancel(() -> {
			CompletionStage<Void> unused = this.limiter.refundAsync(reservation);
		}).onErrorResume((ex) -> refund(reservation, ex)).thenReturn(reservation);
	}

	/**
	 * Reserves the permits. A subscriber that cancels before its turn is charged nothing.
	 * The call is not made on a thread of the store.
	 */
	private Mono<Reservation> reserve(OutboundCall call) {
		return Mono
			.defer(() -> Handover.whenDecided(this.limiter.reserveAsync(List.of(call.charge())).toCompletableFuture(),
					() -> this.scheduler::schedule, this.limiter::refundAsync));
	}

	private Mono<Void> awaitUpstream(OutboundCall call) {
		return Mono.defer(() -> {
			Duration pause = call.pause();
			return pause.isZero() ? Mono.empty()
					: Mono.delay(pause, this.scheduler).then(Mono.defer(() -> awaitUpstream(call)));
		});
	}

	private Mono<Void> release(Reservation reservation) {
		return reservation.holdsPermits() ? completed(() -> this.limiter.releaseAsync(reservation)) : Mono.empty();
	}

	private Mono<Void> refund(Reservation reservation, Throwable failure) {
		return completed(() -> this.limiter.refundAsync(reservation)).then(Mono.error(failure));
	}

	/** Completes when a stage does, but not on a thread of the store. */
	private Mono<Void> completed(Supplier<CompletionStage<Void>> stage) {
		return Mono.fromCompletionStage(() -> stage.get().whenCompleteAsync((done, failure) -> {
		}, this.scheduler::schedule));
	}

}
