package io.github.ratelimit.store;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The counts of every limit: as few as policies have limits, and never dropped. Every
 * decision looks here, and a map would take longer than the arithmetic does. Thread-safe.
 */
final class CountsTable {

	/** Up to this length, looking at all takes no longer than working out a place. */
	private static final int SHORT = 16;

	/** Spreads numbers that are close to one another. */
	private static final int SPREAD = 0x9E3779B9;

	/** Less than half full; each is at its place or in the row that begins there. */
	private volatile @Nullable Counts[] table = new Counts[1];

	Counts of(Clause clause) {
		@Nullable Counts[] table = this.table;
		Counts known = table[place(clause, table)];
		return (known != null) ? known : add(clause);
	}

	private synchronized Counts add(Clause clause) {
		Counts known = this.table[place(clause, this.table)];
		return (known != null) ? known : add(new Counts(clause));
	}

	/** In a new table, so that nobody who looks has to be kept out. */
	private Counts add(Counts added) {
		List<Counts> all = Stream.concat(Stream.of(this.table).filter(Objects::nonNull), Stream.of(added)).toList();
		@Nullable Counts[] roomy = new Counts[4 * Integer.highestOneBit(all.size())];
		for (Counts counts : all) {
			roomy[place(counts.bucket(), counts.periodMicros(), counts.position(), roomy)] = counts;
		}
		this.table = roomy;
		return added;
	}

	private static int place(Clause clause, @Nullable Counts[] table) {
		return place(clause.bucket(), clause.limit().periodMicros(), clause.position(), table);
	}

	private static int place(String bucket, long periodMicros, int position, @Nullable Counts[] table) {
		int last = table.length - 1;
		int place = (table.length <= SHORT) ? 0
				: (((bucket.hashCode() + (int) periodMicros + position) * SPREAD) >>> 16) & last;
		Counts counts = table[place];
		while (counts != null && !counts.areOf(bucket, periodMicros, position)) {
			place = (place + 1) & last;
			counts = table[place];
		}
		return place;
	}

}
