package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A store that keeps controls as text. It drops those that have ended. Implementations
 * are thread-safe. Every operation throws a
 * {@link io.github.ratelimit.store.RateLimitStoreException} if the store fails.
 */
public interface ControlStore extends AutoCloseable {

	/** The most controls in a store. */
	int MOST = 20_000;

	/** The revision before the first change. */
	long NONE = 0;

	/**
	 * Returns the changes after a revision.
	 * @param revision the last known revision, or {@link #NONE} for all controls
	 * @return the changes
	 */
	Changes since(long revision);

	/**
	 * Keeps a control.
	 * @param id the identifier, under which it replaces an earlier control
	 * @param text the control
	 * @param until the time it ends; {@code null} for never
	 * @return whether it was kept, as there is room
	 */
	boolean put(String id, String text, @Nullable Instant until);

	/**
	 * Drops a control.
	 * @param id the identifier
	 */
	void remove(String id);

	@Override
	default void close() {
	}

	/**
	 * Changes of a store.
	 *
	 * @param revision the revision after these changes
	 * @param now the time of the store
	 * @param all whether these are all controls, rather than those that changed
	 * @param texts the controls by identifier; an empty text is one that was dropped
	 */
	record Changes(long revision, Instant now, boolean all, Map<String, String> texts) {

	}

}
