package io.github.ratelimit.spring.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.concurrency.CancelledWaitException;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * An interceptor that keeps blocking calls under a policy, on the thread that makes them.
 */
final class OutboundInterceptor implements ClientHttpRequestInterceptor {

	private final OutboundPolicy policy;

	private final Function<HttpRequest, String> key;

	private final ToLongFunction<HttpRequest> cost;

	private final RateLimiter limiter;

	private final OutboundClock clock;

	OutboundInterceptor(OutboundPolicy policy, Function<HttpRequest, String> key, ToLongFunction<HttpRequest> cost,
			RateLimiter limiter, OutboundClock clock) {
		this.policy = policy;
		this.key = key;
		this.cost = cost;
		this.limiter = limiter;
		this.clock = clock;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		OutboundCall call = this.policy.call(this.key.apply(request), this.cost.applyAsLong(request));
		Reservation reservation = admit(call);
		try {
			ClientHttpResponse response = execution.execute(request, body);
			call.onResponse(response.getStatusCode(), response.getHeaders());
			return response;
		}
		finally {
			this.limiter.release(reservation);
		}
	}

	/**
	 * Waits for the upstream again after the charge, as the upstream may have rejected
	 * another call meanwhile. A refund does not block, as the thread may be interrupted.
	 */
	private Reservation admit(OutboundCall call) {
		awaitUpstream(call);
		Reservation reservation = this.limiter.reserve(List.of(call.charge()));
		if (!reservation.decision().allowed()) {
			throw new RateLimitExceededException(reservation.decision());
		}
		try {
			awaitUpstream(call);
			return reservation;
		}
		catch (UpstreamPausedException | CancelledWaitException ex) {
			CompletionStage<Void> unused = this.limiter.refundAsync(reservation);
			throw ex;
		}
	}

	private void awaitUpstream(OutboundCall call) {
		for (Duration pause = call.pause(); !pause.isZero(); pause = call.pause()) {
			try {
				this.clock.sleep(pause);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new CancelledWaitException("Interrupted while waiting for an upstream");
			}
		}
	}

}
