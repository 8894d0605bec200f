package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.control.AutomaticControls;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Controls;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of upstreams. This instance keeps at most 1,000 that responses demanded.
 * {@link Controls} share these with other instances, and hold those that operators set.
 * Thread-safe.
 */
public final class UpstreamPauses {

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final int MOST = 1_000;

	/**
	 * The shortest extension of a pause that is shared. The calls in flight when an
	 * upstream rejects calls extend its pause again and again by less.
	 */
	private static final Duration SHARED_EXTENSION = Duration.ofSeconds(1);

	private final Map<Subject, Long> pausedUntil = new LinkedHashMap<>();

	private final OutboundClock clock;

	private final @Nullable AutomaticControls controls;

	/**
	 * Creates an empty set of pauses.
	 * @param controls the controls of all instances
	 */
	public UpstreamPauses(Controls controls) {
		this(OutboundClock.SYSTEM, new AutomaticControls(() -> controls));
	}

	UpstreamPauses(OutboundClock clock) {
		this(clock, null);
	}

	/**
	 * Creates an empty set of pauses.
	 * @param controls the controls of all instances; {@code null} for pauses of this one
	 */
	UpstreamPauses(OutboundClock clock, @Nullable AutomaticControls controls) {
		this.clock = clock;
		this.controls = controls;
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
		pause(new Subject(policy, key), duration);
	}

	/**
	 * Requires that the calls under a policy with a key are not paused.
	 * @param policy the policy
	 * @param key the key of the upstream
	 * @throws UpstreamPausedException if they are
	 */
	public void requireRunning(Policy policy, String key) {
		Duration pause = left(new Subject(policy.name(), key));
		if (!pause.isZero()) {
			throw UpstreamPausedException.of(policy, pause, date());
		}
	}

	/** Pauses an upstream for some time, a minute at most. */
	void pause(Subject upstream, Duration duration) {
		Duration bounded = (duration.compareTo(LONGEST) < 0) ? duration : LONGEST;
		Duration left = left(upstream);
		if (bounded.compareTo(left) > 0) {
			long until = this.clock.nanos() + bounded.toNanos();
			keep(upstream, until);
			if (left.isZero() || bounded.minus(left).compareTo(SHARED_EXTENSION) >= 0) {
				share(upstream, bounded, until);
			}
		}
	}

	/** Returns the time until an upstream may be called. */
	Duration left(Subject upstream) {
		Duration shared = shared(upstream);
		Duration own = own(upstream);
		return (own.compareTo(shared) > 0) ? own : shared;
	}

	private Duration shared(Subject upstream) {
		return (this.controls != null) ? this.controls.pauseLeft(upstream.policy(), upstream.key()) : Duration.ZERO;
	}

	private synchronized Duration own(Subject upstream) {
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

	/**
	 * Shares a pause with all instances. From then on it counts as theirs, so that it
	 * ends for this one too if an operator lifts it.
	 */
	private void share(Subject upstream, Duration pause, long until) {
		if (this.controls != null) {
			this.controls.set(new Pause(upstream.policy(), upstream.key()), pause, () -> drop(upstream, until));
		}
	}

	private synchronized void drop(Subject upstream, Long until) {
		this.pausedUntil.remove(upstream, until);
	}

	private synchronized void keep(Subject upstream, long until) {
		this.pausedUntil.remove(upstream);
		this.pausedUntil.put(upstream, until);
		evictOldest();
	}

	private void evictOldest() {
		if (this.pausedUntil.size() > MOST) {
			this.pausedUntil.remove(this.pausedUntil.keySet().iterator().next());
		}
	}

}
