package io.github.ratelimit.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.spring.control.ControlStore.Restored;
import io.github.ratelimit.spring.control.ControlStore.Text;
import io.github.ratelimit.spring.control.Revision;

/**
 * The changes that write back what an instance knows, by the rules of {@link Revision}:
 * up to the known revision, it replaces what the store has. Not thread-safe.
 */
final class Restoration {

	private static final Text LIFTED = new Text("", null);

	private final Revision known;

	private final Map<String, Kept> kept;

	private final Map<String, Text> changes = new HashMap<>();

	private long written;

	private long dropped;

	/**
	 * Begins.
	 * @param kept all that the store has, with what was lifted
	 */
	Restoration(Revision known, Map<String, Kept> kept) {
		this.known = known;
		this.kept = kept;
	}

	/** Writes a control, unless the store has it or a newer one. */
	void restore(String id, Text control) {
		Kept found = this.kept.get(id);
		if (found != null && found.revision > this.known.number()) {
			return;
		}
		boolean isLost = !control.text().isEmpty() && (found == null || !found.control.text().equals(control.text()));
		if (isLost) {
			this.written++;
		}
		if (isLost || found != null) {
			this.changes.put(id, isLost ? control : found.control);
		}
	}

	/**
	 * Drops what the instance does not know, as it was lifted.
	 * @param ids what it knows
	 */
	Restored end(Set<String> ids) {
		this.kept.forEach((id, found) -> {
			if (!ids.contains(id) && found.revision < this.known.number()) {
				this.dropped += found.control.text().isEmpty() ? 0 : 1;
				this.changes.put(id, LIFTED);
			}
		});
		this.known.newest().keySet().forEach((id) -> {
			if (!ids.contains(id) && !this.kept.containsKey(id)) {
				this.changes.put(id, LIFTED);
			}
		});
		return new Restored(this.written, this.dropped);
	}

	/** Returns the controls to write, with the known revision. */
	Map<String, Text> changes() {
		return this.changes;
	}

	/**
	 * A control in the store.
	 *
	 * @param control the control
	 * @param revision its revision
	 */
	record Kept(Text control, long revision) {

	}

}
