package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A control store in the memory of one instance, which loses nothing.
 */
public final class MemoryControlStore implements ControlStore {

	private final InstantSource clock;

	private final Map<String, Text> texts = new HashMap<>();

	private long revision;

	/**
	 * Creates an empty store.
	 * @param clock the time
	 */
	public MemoryControlStore(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public synchronized Changes since(Revision known, boolean all) {
		Instant now = this.clock.instant();
		List<String> ended = this.texts.entrySet()
			.stream()
			.filter((entry) -> isOver(entry.getValue(), now))
			.map(Map.Entry::getKey)
			.toList();
		ended.forEach(this.texts::remove);
		Map<String, String> texts = new HashMap<>();
		this.texts.forEach((id, text) -> texts.put(id, text.text()));
		return new Changes(new Revision("", this.revision, Map.of()), now, false, true, texts, ended);
	}

	private static boolean isOver(Text text, Instant now) {
		Instant until = text.until();
		return until != null && !until.isAfter(now);
	}

	@Override
	public synchronized Set<String> put(Map<String, Text> controls) {
		Set<String> refused = new HashSet<>();
		controls.forEach((id, text) -> {
			if (this.texts.size() >= MOST && !this.texts.containsKey(id)) {
				refused.add(id);
			}
			else {
				this.texts.put(id, text);
			}
		});
		this.revision++;
		return refused;
	}

	@Override
	public synchronized void remove(String id) {
		this.texts.remove(id);
		this.revision++;
	}

	@Override
	public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
		return Restored.NOTHING;
	}

}
