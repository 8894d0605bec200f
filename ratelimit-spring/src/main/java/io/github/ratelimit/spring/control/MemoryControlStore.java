package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A control store in the memory of one instance.
 */
public final class MemoryControlStore implements ControlStore {

	private final InstantSource clock;

	private final Map<String, Entry> entries = new HashMap<>();

	private long revision;

	private record Entry(String text, @Nullable Instant until) {

	}

	/**
	 * Creates an empty store.
	 * @param clock the time
	 */
	public MemoryControlStore(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public synchronized Changes since(long revision) {
		Map<String, String> texts = new HashMap<>();
		this.entries.forEach((id, entry) -> texts.put(id, entry.text()));
		return new Changes(this.revision, this.clock.instant(), true, texts);
	}

	@Override
	public synchronized boolean put(String id, String text, @Nullable Instant until) {
		if (this.entries.size() >= MOST) {
			removeEnded();
		}
		if (this.entries.size() >= MOST && !this.entries.containsKey(id)) {
			return false;
		}
		this.entries.put(id, new Entry(text, until));
		this.revision++;
		return true;
	}

	private void removeEnded() {
		Instant now = this.clock.instant();
		this.entries.values().removeIf((entry) -> entry.until() != null && !entry.until().isAfter(now));
	}

	@Override
	public synchronized void remove(String id) {
		this.entries.remove(id);
		this.revision++;
	}

}
