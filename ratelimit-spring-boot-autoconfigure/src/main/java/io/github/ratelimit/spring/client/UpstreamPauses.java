package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.policy.Policy;

/**
 * The pauses that upstreams demanded. Each instance of an application has those of the
 * responses that it gets itself, at most the last 1,000. Thread-safe.
 */
public final class UpstreamPauses {

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final int MOST = 1_000;

	private final Map<Upstream, Long> pausedUntil = new LinkedHashMap<>();

	private final OutboundClock clock;

	/** Creates an empty set of pauses. */
	public UpstreamPauses() {
		this(OutboundClock.SYSTEM);
	}

	UpstreamPauses(OutboundClock clock) {
		this.clock = clock;
	}

	OutboundClock clock() {
		return this.clock;
	}

	/**
	 * Returns the current date, for responses without one.
	 * @return the date
	 */
	public Instant date() {
		return this.clock.date();
	}

	/**
	 * Pauses the calls under a policy with a key for some time, a minute at most.
	 * @param policy the name of the policy
	 * @param key the key of the upstream
	 * @param duration how long; zero or less has no effect, nor has a time that ends
	 * before an earlier pause
	 */
	public void pause(String policy, String key, Duration duration) {
		pause(new Upstream(policy, key), duration);
	}

	/**
	 * Requires that the calls under a policy with a key are not paused.
	 * @param policy the policy
	 * @param key the key of the upstream
	 * @throws UpstreamPausedException if they are
	 */
	public void requireRunning(Policy policy, String key) {
		Duration pause = left(new Upstream(policy.name(), key));
		if (!pause.isZero()) {
			throw UpstreamPausedException.of(policy, pause, date());
		}
	}

	/** Pauses an upstream for some time, a minute at most. */
	synchronized void pause(Upstream upstream, Duration duration) {
		Duration bounded = (duration.compareTo(LONGEST) < 0) ? duration : LONGEST;
		if (bounded.compareTo(left(upstream)) > 0) {
			this.pausedUntil.remove(upstream);
			this.pausedUntil.put(upstream, this.clock.nanos() + bounded.toNanos());
			evictOldest();
		}
	}

	/** Returns the time until an upstream may be called. */
	synchronized Duration left(Upstream upstream) {
		Long until = this.pausedUntil.get(upstream);
		if (until == null) {
			return Duration.ZERO;
		}
		long left = until - this.clock.nanos();
		if (left <= 0) {
			this.pausedUntil.remove(upstream);
		}
		return Duration.ofNanos(Math.max(0, left));
	}

	private void evictOldest() {
		if (this.pausedUntil.size() > MOST) {
			this.pausedUntil.remove(this.pausedUntil.keySet().iterator().next());
		}
	}

}
