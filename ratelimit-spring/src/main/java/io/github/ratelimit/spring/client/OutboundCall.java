package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.charge.CallCharges;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * An outbound call. It waits for its upstream and then for its permits, for both together
 * no longer than its policy allows.
 */
final class OutboundCall {

	private final Policy policy;

	private final Subject upstream;

	private final UpstreamPauses pauses;

	private final long start;

	private final long cost;

	private volatile boolean made;

	OutboundCall(Policy policy, String key, long cost, UpstreamPauses pauses) {
		this.policy = policy;
		this.upstream = new Subject(policy.name(), key);
		this.cost = cost;
		this.pauses = pauses;
		this.start = pauses.clock().nanos();
	}

	/**
	 * Returns the time to wait for the upstream.
	 * @return zero if the call can be made now
	 * @throws UpstreamPausedException if the call may not wait that long
	 */
	Duration pause() {
		Duration pause = this.pauses.left(this.upstream);
		if (!pause.isZero() && pause.compareTo(remainingWait()) > 0) {
			throw UpstreamPausedException.of(this.policy, pause, this.pauses.clock().date());
		}
		return pause;
	}

	/**
	 * Returns the charge, which may wait for the rest of the time, and is refunded if the
	 * call is not made.
	 */
	CallCharges charges() {
		return CallCharges.of(List.of(charge()), (charged, outcome) -> this.made ? charged.charges().get(0).cost() : 0);
	}

	/** Records that the call is made. */
	void make() {
		this.made = true;
	}

	private Charge charge() {
		Charge charge = new Charge(this.upstream.policy(), this.upstream.key(), this.cost);
		Duration remainingWait = remainingWait();
		return (remainingWait.compareTo(this.policy.options().maxWait()) < 0) ? charge.waitingUpTo(remainingWait)
				: charge;
	}

	/**
	 * Pauses the upstream if its response demands that, or says that a limit is used up.
	 */
	void onResponse(HttpStatusCode status, HttpHeaders headers) {
		Duration spent = SpentLimits.pause(headers);
		Duration demanded = RetryAfter.mayPause(status.value()) ? RetryAfter.of(headers, this.pauses.clock().date())
				: Duration.ZERO;
		this.pauses.pause(this.upstream, (spent.compareTo(demanded) > 0) ? spent : demanded);
	}

	private Duration remainingWait() {
		Duration waited = Duration.ofNanos(this.pauses.clock().nanos() - this.start);
		Duration left = this.policy.options().maxWait().minus(waited);
		return left.isNegative() ? Duration.ZERO : left;
	}

}
