package io.github.ratelimit.spring.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import io.github.ratelimit.Hold;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Keeps blocking calls under a policy, on the thread that makes them.
 */
final class OutboundInterceptor implements ClientHttpRequestInterceptor {

	private final OutboundPolicy policy;

	private final Function<HttpRequest, String> key;

	private final RateLimiter limiter;

	private final Time time;

	OutboundInterceptor(OutboundPolicy policy, Function<HttpRequest, String> key, RateLimiter limiter, Time time) {
		this.policy = policy;
		this.key = key;
		this.limiter = limiter;
		this.time = time;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		OutboundCall call = this.policy.call(this.key.apply(request));
		admit(call);
		ClientHttpResponse response = execution.execute(request, body);
		call.answered(response.getStatusCode(), response.getHeaders());
		return response;
	}

	/**
	 * Looks again once it was charged, as a call made meanwhile may have been refused.
	 */
	private void admit(OutboundCall call) {
		awaitUpstream(call);
		Hold hold = this.limiter.hold(List.of(call.charge()));
		if (!hold.decision().allowed()) {
			throw new RateLimitExceededException(hold.decision());
		}
		try {
			awaitUpstream(call);
		}
		catch (UpstreamHoldException | CancellationException ex) {
			this.limiter.giveBack(hold);
			throw ex;
		}
	}

	private void awaitUpstream(OutboundCall call) {
		for (Duration pause = call.pause(); !pause.isZero(); pause = call.pause()) {
			try {
				this.time.sleep(pause);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new CancellationException("Interrupted while waiting for an upstream");
			}
		}
	}

}
