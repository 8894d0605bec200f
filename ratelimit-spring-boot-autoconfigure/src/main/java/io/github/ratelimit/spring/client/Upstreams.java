package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long upstreams asked to be left alone. Each instance of an application learns that
 * from the answers it gets itself. Remembers the last 1,000 that asked. Thread-safe.
 */
public final class Upstreams {

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final int MOST = 1_000;

	private final Map<Upstream, Long> asked = new LinkedHashMap<>();

	private final Time time;

	/**
	 * Upstreams that have not asked for anything yet.
	 */
	public Upstreams() {
		this(Time.REAL);
	}

	Upstreams(Time time) {
		this.time = time;
	}

	Time time() {
		return this.time;
	}

	/** Leaves an upstream alone for so long, but for a minute at most. */
	synchronized void leaveAlone(Upstream upstream, Duration duration) {
		Duration bounded = (duration.compareTo(LONGEST) < 0) ? duration : LONGEST;
		if (bounded.compareTo(left(upstream)) > 0) {
			this.asked.remove(upstream);
			this.asked.put(upstream, this.time.nanos() + bounded.toNanos());
			forgetOldest();
		}
	}

	/** How long an upstream is to be left alone still. */
	synchronized Duration left(Upstream upstream) {
		Long until = this.asked.get(upstream);
		if (until == null) {
			return Duration.ZERO;
		}
		long left = until - this.time.nanos();
		if (left <= 0) {
			this.asked.remove(upstream);
		}
		return Duration.ofNanos(Math.max(0, left));
	}

	private void forgetOldest() {
		if (this.asked.size() > MOST) {
			this.asked.remove(this.asked.keySet().iterator().next());
		}
	}

}
