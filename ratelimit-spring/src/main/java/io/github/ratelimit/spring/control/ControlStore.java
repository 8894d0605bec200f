package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A store that keeps controls as text. It drops those that have ended. Implementations
 * are thread-safe. Every operation throws a
 * {@link io.github.ratelimit.store.RateLimitStoreException} if the store fails.
 */
public interface ControlStore extends AutoCloseable {

	/** The most controls in a store. */
	int MOST = 20_000;

	/**
	 * Returns the changes after a revision, and drops the controls that have ended.
	 * @param known the last known revision
	 * @param all whether to return all controls
	 * @return the changes
	 */
	Changes since(Revision known, boolean all);

	/**
	 * Keeps controls.
	 * @param controls the controls by identifiers, under which they replace earlier ones
	 * @return the identifiers of those for which there is no room
	 */
	Set<String> put(Map<String, Text> controls);

	/**
	 * Keeps a control.
	 * @param id the identifier, under which it replaces an earlier control
	 * @param text the control
	 * @param until the time it ends; {@code null} for never
	 * @return whether it was kept, as there is room
	 */
	default boolean put(String id, String text, @Nullable Instant until) {
		return put(Map.of(id, new Text(text, until))).isEmpty();
	}

	/**
	 * Drops a control.
	 * @param id the identifier
	 */
	void remove(String id);

	/**
	 * Writes back what an instance knows, by the rules of {@link Revision}, unless the
	 * store lacks nothing.
	 * @param known the last known revision
	 * @param controls all controls known at this revision that have not ended, with their
	 * identifiers
	 * @return what was written
	 */
	Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls);

	@Override
	default void close() {
	}

	/**
	 * Changes of a store.
	 *
	 * @param revision the revision after these changes, or {@link Revision#NONE} if the
	 * store is empty
	 * @param now the time of the store
	 * @param lacking whether the store lacks what was known
	 * @param all whether these are all controls, rather than those that changed
	 * @param texts the controls by identifier; an empty text is one that was lifted
	 * @param ended the identifiers of controls that have ended, each reported once, to
	 * one instance
	 */
	record Changes(Revision revision, Instant now, boolean lacking, boolean all, Map<String, String> texts,
			Collection<String> ended) {

	}

	/**
	 * A control as text.
	 *
	 * @param text the text; empty if the control was lifted, or is to be written back by
	 * an instance that cannot read it, so that it stays as the store has it
	 * @param until the time it ends; {@code null} for never
	 */
	record Text(String text, @Nullable Instant until) {

		/** The text of a control that was lifted. */
		static final Text LIFTED = new Text("", null);

	}

	/**
	 * The result of writing back.
	 *
	 * @param written the number of controls that were set again
	 * @param dropped the number of controls that were dropped again, as they had been
	 * lifted
	 */
	record Restored(long written, long dropped) {

		/** Nothing was written. */
		public static final Restored NOTHING = new Restored(0, 0);

	}

}
