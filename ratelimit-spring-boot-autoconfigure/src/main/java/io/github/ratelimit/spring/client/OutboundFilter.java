package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.Hold;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Keeps reactive calls under a policy, each subscription on its own, without blocking.
 */
final class OutboundFilter implements ExchangeFilterFunction {

	private final OutboundPolicy policy;

	private final Function<ClientRequest, String> key;

	private final RateLimiter limiter;

	private final Scheduler scheduler;

	OutboundFilter(OutboundPolicy policy, Function<ClientRequest, String> key, RateLimiter limiter,
			Scheduler scheduler) {
		this.policy = policy;
		this.key = key;
		this.limiter = limiter;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			OutboundCall call = this.policy.call(this.key.apply(request));
			return admit(call).then(Mono.defer(() -> next.exchange(request)))
				.doOnNext((response) -> call.answered(response.statusCode(), response.headers().asHttpHeaders()));
		});
	}

	/**
	 * Looks again once it was charged, as a call made meanwhile may have been refused.
	 */
	private Mono<Void> admit(OutboundCall call) {
		return awaitUpstream(call).then(hold(call))
			.flatMap((hold) -> hold.decision().allowed() ? awaitUpstream(call).onErrorResume((ex) -> giveBack(hold, ex))
					: Mono.error(() -> new RateLimitExceededException(hold.decision())));
	}

	/**
	 * A subscriber that cancels before it is charged, or its turn, is charged nothing.
	 */
	private Mono<Hold> hold(OutboundCall call) {
		return Mono.fromFuture(() -> this.limiter.holdAsync(List.of(call.charge())).toCompletableFuture())
			.doOnDiscard(Hold.class, this.limiter::giveBackAsync);
	}

	private Mono<Void> awaitUpstream(OutboundCall call) {
		return Mono.defer(() -> {
			Duration pause = call.pause();
			return pause.isZero() ? Mono.empty()
					: Mono.delay(pause, this.scheduler).then(Mono.defer(() -> awaitUpstream(call)));
		});
	}

	private Mono<Void> giveBack(Hold hold, Throwable failure) {
		return Mono.fromCompletionStage(() -> this.limiter.giveBackAsync(hold)).then(Mono.error(failure));
	}

}
