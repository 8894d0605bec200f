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

	/**
	 * Creates an object without a reload so far.
	 * @param clock the clock
	 */
	public LastReload(InstantSource clock) {
		this.clock = clock;
	}

	/**
	 * Remembers a reload that has just ended.
	 * @param problem the reason for which the configuration was refused as a whole, or
	 * the policy source failed; {@code null} if it is in effect
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public void set(@Nullable String problem, List<String> needRestart) {
		this.reload = new Reload(this.clock.instant(), problem, needRestart);
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
