package io.github.ratelimit.spring.finding;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The configuration in effect, and its last reload. Thread-safe.
 */
public final class LastReload {

	private volatile @Nullable Reload reload;

	private final InstantSource clock;

	private volatile InEffect inEffect;

	/**
	 * Creates an object without a reload so far.
	 * @param clock the clock
	 * @param digest the digest of the configuration at the start
	 */
	public LastReload(InstantSource clock, String digest) {
		this.clock = clock;
		this.inEffect = new InEffect(digest, clock.instant());
	}

	/**
	 * Remembers that a configuration has taken effect.
	 * @param problem the reason for which the policy source failed; {@code null} if it
	 * did not
	 * @param needRestart the names of changed properties that take effect after a restart
	 * @param digest the digest of the configuration
	 */
	public void applied(@Nullable String problem, List<String> needRestart, String digest) {
		Instant now = this.clock.instant();
		if (!digest.equals(this.inEffect.digest())) {
			this.inEffect = new InEffect(digest, now);
		}
		this.reload = new Reload(now, problem, needRestart);
	}

	/**
	 * Remembers that a configuration was refused.
	 * @param problem the reason for which it was refused as a whole, or the policy source
	 * failed
	 */
	public void refused(String problem) {
		this.reload = new Reload(this.clock.instant(), problem, List.of());
	}

	/**
	 * Returns the last reload.
	 * @return the reload, or {@code null} if the configuration is the one of the start
	 */
	public @Nullable Reload get() {
		return this.reload;
	}

	/**
	 * Returns the configuration in effect.
	 * @return the configuration
	 */
	public InEffect inEffect() {
		return this.inEffect;
	}

	/**
	 * Returns how long the configuration in effect has applied.
	 * @return the time since its reload or the start
	 */
	public Duration age() {
		return Duration.between(this.inEffect.since(), this.clock.instant());
	}

	/**
	 * A configuration in effect.
	 *
	 * @param digest the digest, which is the same on instances that are configured alike
	 * @param since the time since which it applies
	 */
	public record InEffect(String digest, Instant since) {

	}

	/**
	 * A reload of the configuration.
	 *
	 * @param at the time of the reload
	 * @param problem the reason for which the configuration was refused as a whole, or
	 * the policy source failed; {@code null} if it is in effect
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public record Reload(Instant at, @Nullable String problem, List<String> needRestart) {

		/**
		 * Copies the names.
		 * @param at the time of the reload
		 * @param problem the reason for which the configuration was refused as a whole,
		 * or the policy source failed
		 * @param needRestart the names of changed properties that take effect after a
		 * restart
		 */
		public Reload {
			needRestart = List.copyOf(needRestart);
		}

	}

}
