package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

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
