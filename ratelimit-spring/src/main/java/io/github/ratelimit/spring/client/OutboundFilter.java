package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
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

	private final ReactiveGate gate;

	private final Scheduler scheduler;

	OutboundFilter(OutboundPolicy policy, Function<ClientRequest, String> key, ToLongFunction<ClientRequest> cost,
			RateLimiter limiter, Scheduler scheduler) {
		this.policy = policy;
		this.key = key;
		this.cost = cost;
		this.gate = new ReactiveGate(new Gate(limiter), (task) -> scheduler.schedule(task));
		this.scheduler = scheduler;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			OutboundCall call = this.policy.call(this.key.apply(request), this.cost.applyAsLong(request));
			return awaitUpstream(call).then(Mono.defer(() -> pass(call, () -> next.exchange(request))))
				.doOnNext((response) -> call.onResponse(response.statusCode(), response.headers().asHttpHeaders()));
		});
	}

	/**
	 * Waits for the upstream again after the charge, as the upstream may have rejected
	 * another call meanwhile.
	 */
	private Mono<ClientResponse> pass(OutboundCall call, Supplier<Mono<ClientResponse>> exchange) {
		return this.gate
			.pass(call.charges(), RequestCharges.NONE, null, () -> awaitUpstream(call).then(Mono.defer(() -> {
				call.make();
				return exchange.get();
			})))
			.singleOrEmpty();
	}

	private Mono<Void> awaitUpstream(OutboundCall call) {
		return Mono.defer(() -> {
			Duration pause = call.pause();
			return pause.isZero() ? Mono.empty()
					: Mono.delay(pause, this.scheduler).then(Mono.defer(() -> awaitUpstream(call)));
		});
	}

}
