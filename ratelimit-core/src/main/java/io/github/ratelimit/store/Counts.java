package io.github.ratelimit.store;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The cells of one limit of a policy. Maps find those quickly to which callers gave one
 * hash, as keys have an order.
 *
 * @param bucket the name under which the policy's counts are kept
 * @param position of the limit in its policy
 * @param cells by key
 * @param sharedCells by a number instead of a key
 */
record Counts(String bucket, int position, ConcurrentHashMap<String, Cell> cells,
		ConcurrentHashMap<String, Cell> sharedCells) {

	Counts(Clause clause) {
		this(clause.bucket(), clause.position(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
	}

	boolean areOf(String bucket, int position) {
		return this.position == position && this.bucket.equals(bucket);
	}

}
