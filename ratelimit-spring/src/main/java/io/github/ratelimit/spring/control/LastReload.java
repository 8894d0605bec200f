package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of the last reload of the configuration. Thread-safe.
 */
public final class LastReload {

	private volatile @Nullable Outcome outcome;

	private final InstantSource clock;

	/**
	 * Creates an outcome for reloads to come.
	 * @param clock the clock
	 */
	public LastReload(InstantSource clock) {
		this.clock = clock;
	}

	/**
	 * Replaces the outcome by that of a reload that has just ended.
	 * @param problem the reason for which the configuration was refused as a whole;
	 * {@code null} if it is in effect
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public void set(@Nullable String problem, List<String> needRestart) {
		this.outcome = new Outcome(this.clock.instant(), problem, needRestart);
	}

	/**
	 * Returns the outcome.
	 * @return the outcome, or {@code null} if the configuration is the one of the start
	 */
	public @Nullable Outcome get() {
		return this.outcome;
	}

	/**
	 * The outcome of a reload.
	 *
	 * @param at the time of the reload
	 * @param problem the reason for which the configuration was refused as a whole;
	 * {@code null} if it is in effect
	 * @param needRestart the names of changed properties that take effect after a restart
	 */
	public record Outcome(Instant at, @Nullable String problem, List<String> needRestart) {

		/**
		 * Copies the names.
		 * @param at the time of the reload
		 * @param problem the reason for which the configuration was refused as a whole
		 * @param needRestart the names of changed properties that take effect after a
		 * restart
		 */
		public Outcome {
			needRestart = List.copyOf(needRestart);
		}

	}

}
