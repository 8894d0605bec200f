package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * Memory that Redis uses for a caller.
 *
 * @param contender whose way to remember it is
 * @param keys how many keys
 * @param bytes all that Redis needs for them
 */
record Footprint(String contender, double keys, double bytes) {

	static Table table(List<Footprint> footprints) {
		Table table = new Table(List.of("", "keys a caller", "bytes a caller"));
		footprints.forEach((footprint) -> table
			.row(List.of(footprint.contender, Numbers.brief(footprint.keys), Numbers.brief(footprint.bytes))));
		return table;
	}

}
