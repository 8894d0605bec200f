package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Policy;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * A call on its way out. It waits for its upstream, then for its permits, and for both
 * together no longer than its policy says.
 */
final class OutboundCall {

	private final Policy policy;

	private final Upstream upstream;

	private final Upstreams upstreams;

	private final long start;

	OutboundCall(Policy policy, String key, Upstreams upstreams) {
		this.policy = policy;
		this.upstream = new Upstream(policy.name(), key);
		this.upstreams = upstreams;
		this.start = upstreams.time().nanos();
	}

	/**
	 * How long to wait for the upstream.
	 * @return zero if it can be called
	 * @throws UpstreamHoldException if that is longer than the call may wait
	 */
	Duration pause() {
		Duration pause = this.upstreams.left(this.upstream);
		if (!pause.isZero() && pause.compareTo(patience()) > 0) {
			throw new UpstreamHoldException(this.policy.name(), denial(pause));
		}
		return pause;
	}

	/** What to charge, which may wait for as long as the call may still. */
	Charge charge() {
		Charge charge = Charge.of(this.upstream.policy(), this.upstream.key());
		Duration patience = patience();
		return (patience.compareTo(this.policy.terms().maxWait()) < 0) ? charge.waitingUpTo(patience) : charge;
	}

	/** Heeds what the upstream asks for. */
	void answered(HttpStatusCode status, HttpHeaders headers) {
		if (status.isSameCodeAs(HttpStatus.TOO_MANY_REQUESTS)) {
			this.upstreams.leaveAlone(this.upstream, RetryAfter.of(headers, this.upstreams.time().date()));
		}
	}

	private Duration patience() {
		Duration waited = Duration.ofNanos(this.upstreams.time().nanos() - this.start);
		Duration left = this.policy.terms().maxWait().minus(waited);
		return left.isNegative() ? Duration.ZERO : left;
	}

	private Decision denial(Duration pause) {
		long micros = TimeUnit.NANOSECONDS.toMicros(pause.toNanos() + 999);
		long now = TimeUnit.MILLISECONDS.toMicros(this.upstreams.time().date().toEpochMilli());
		return Decision.of(now,
				this.policy.limits()
					.stream()
					.map((limit) -> new LimitDecision(this.policy.name(), limit, 0, micros, micros))
					.toList());
	}

}
