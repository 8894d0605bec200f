package io.github.ratelimit.jdbc;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.Counts;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * Counts that one transaction has read, and the time. Not thread-safe.
 */
final class ReadCounts {

	private final Map<String, Row> rows = new HashMap<>();

	private final Set<String> busy = new HashSet<>();

	/** The time of the server, in microseconds since 1970. */
	private final long server;

	/** The time to decide by, which is another one in tests only. */
	private final long time;

	ReadCounts(long server, long time) {
		this.server = server;
		this.time = time;
	}

	void add(Row row) {
		this.rows.put(row.key(), row);
	}

	/** Adds the keys of counts that another session has locked. */
	void addBusy(String[] keys) {
		this.busy.addAll(List.of(keys));
	}

	List<String> lockedByOthers(List<String> keys) {
		return this.busy.isEmpty() ? List.of() : keys.stream().filter(this.busy::contains).toList();
	}

	/** Decides a request on the counts of its permits. */
	Decision decide(StoreRequest request, List<String> keys) {
		return Counts.decide(request, keys.stream().map(this::count).toList(), this.time);
	}

	private Count count(String key) {
		return this.rows.computeIfAbsent(key, (missing) -> new Row(missing, 0, new Count())).count();
	}

	/** Returns the counts to keep, either those that are new or the others. */
	List<Row> changed(boolean areNew) {
		return this.rows.values().stream().filter((row) -> row.count().isChanged() && row.isNew() == areNew).toList();
	}

	/** Returns the only count to keep, or null if it is unchanged. */
	@Nullable Row changed() {
		return this.rows.values().stream().filter((row) -> row.count().isChanged()).findFirst().orElse(null);
	}

	/**
	 * Returns the version that was read, or the current time for a new count. A count
	 * that is created again after a sweep therefore never repeats a version.
	 */
	long version(Row row) {
		return row.isNew() ? this.server : row.version();
	}

	/**
	 * Returns when a count may be swept, in seconds: a minute at least after it has run
	 * out, rounded up to a power of two of about its life, so that few updates change the
	 * index.
	 */
	long sweepAt(Row row) {
		long life = Math.max(0, row.count().expiresAt() - this.time) / 1_000_000 + 60;
		long grain = Math.max(64, Long.highestOneBit(life));
		return (this.server / 1_000_000 + life + grain) / grain * grain;
	}

	/**
	 * A count in its row.
	 *
	 * @param key the key
	 * @param version the version that was read; 0 if there was none
	 * @param count the count
	 */
	record Row(String key, long version, Count count) {

		boolean isNew() {
			return this.version == 0;
		}

	}

}
