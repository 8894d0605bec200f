package io.github.ratelimit.pairs;

import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.pairs.Row.Feature;

/**
 * The counts of a store, by charge.
 */
final class Counts {

	private final Feature feature;

	private final Map<Part, Count> limits = new HashMap<>();

	private final Map<Part, Count> candidates = new HashMap<>();

	Counts(Feature feature) {
		this.feature = feature;
	}

	/** Returns the count of the limit. */
	Count of(Part part) {
		return this.limits.computeIfAbsent(part, (key) -> new Count(part.isVaried() ? most() : 100));
	}

	/** Returns the count of the candidate. */
	Count candidate(Part part) {
		return this.candidates.computeIfAbsent(part, (key) -> new Count(4));
	}

	/** Forgets the varied policy, all calls of which have ended. */
	void release() {
		this.limits.keySet().removeIf(Part::isVaried);
		this.candidates.clear();
	}

	private long most() {
		return switch (this.feature) {
			case PLAN -> 14;
			case OVERRIDE -> 16;
			case SCHEDULE -> 18;
			case SHARES -> 8;
			default -> 10;
		};
	}

}
