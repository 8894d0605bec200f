package io.github.ratelimit.spring.client;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RequestCharges;

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

	private final Gate gate;

	private final OutboundClock clock;

	OutboundInterceptor(OutboundPolicy policy, Function<HttpRequest, String> key, ToLongFunction<HttpRequest> cost,
			RateLimiter limiter, OutboundClock clock) {
		this.policy = policy;
		this.key = key;
		this.cost = cost;
		this.gate = new Gate(limiter);
		this.clock = clock;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		OutboundCall call = this.policy.call(this.key.apply(request), this.cost.applyAsLong(request));
		awaitUpstream(call);
		Admission admission = this.gate.enter(call.charges(), RequestCharges.NONE, null);
		try {
			// The upstream may have rejected another call meanwhile
			awaitUpstream(call);
			call.make();
			ClientHttpResponse response = execution.execute(request, body);
			call.onResponse(response.getStatusCode(), response.getHeaders());
			return response;
		}
		finally {
			admission.callEnded(null, null);
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
