package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The last reload of the configuration. Thread-safe.
 */
public final class LastReload {

	private volatile @Nullable Reload reload;

	private final InstantSource clock;

	private volatile Instant since;

	/**
	 * Creates an object without a reload so far.
	 * @param clock the clock
	 */
	public LastReload(InstantSource clock) {
		this.clock = clock;
		this.since = clock.instant();
	}

	/**
	 * Remembers that a configuration has taken effect.
	 * @param problem the reason for which the policy source failed; {@code null} if it
	 * did not
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public void applied(@Nullable String problem, List<String> needRestart) {
		this.since = this.clock.instant();
		this.reload = new Reload(this.since, problem, needRestart, this.since);
	}

	/**
	 * Remembers that a configuration was refused.
	 * @param problem the reason for which it was refused as a whole, or the policy source
	 * failed
	 */
	public void refused(String problem) {
		this.reload = new Reload(this.clock.instant(), problem, List.of(), this.since);
	}

	/**
	 * Returns the last reload.
	 * @return the reload, or {@code null} if the configuration is the one of the start
	 */
	public @Nullable Reload get() {
		return this.reload;
	}

	/**
	 * A reload of the configuration.
	 *
	 * @param at the time of the reload
	 * @param problem the reason for which the configuration was refused as a whole, or
	 * the policy source failed; {@code null} if it is in effect
	 * @param needRestart the names of changed properties that take effect after a restart
	 * @param since the time since which the configuration in effect applies
	 */
	public record Reload(Instant at, @Nullable String problem, List<String> needRestart, Instant since) {

		/**
		 * Copies the names.
		 * @param at the time of the reload
		 * @param problem the reason for which the configuration was refused as a whole,
		 * or the policy source failed
		 * @param needRestart the names of changed properties that take effect after a
		 * restart
		 * @param since the time since which the configuration in effect applies
		 */
		public Reload {
			needRestart = List.copyOf(needRestart);
		}

	}

}
