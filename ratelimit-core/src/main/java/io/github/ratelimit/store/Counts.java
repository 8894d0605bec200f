package io.github.ratelimit.store;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The cells of one limit of a policy. Maps find those quickly to which callers gave one
 * hash, as keys have an order.
 *
 * @param bucket the name under which the policy's counts are kept
 * @param periodMicros the period of the limit
 * @param position of the limit among those of its period
 * @param cells by key
 * @param sharedCells by a number instead of a key
 */
record Counts(String bucket, long periodMicros, int position, ConcurrentHashMap<String, Cell> cells,
		ConcurrentHashMap<String, Cell> sharedCells) {

	Counts(Clause clause) {
		this(clause.bucket(), clause.limit().periodMicros(), clause.position(), new ConcurrentHashMap<>(),
				new ConcurrentHashMap<>());
	}

	boolean areOf(String bucket, long periodMicros, int position) {
		return this.periodMicros == periodMicros && this.position == position && this.bucket.equals(bucket);
	}

}
