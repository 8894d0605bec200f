package io.github.ratelimit.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Revision;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A control store in a database, which loses a change only if it fails over to a replica
 * that lags, or is restored. It therefore has one generation. A revision is the time of
 * the change, or higher than all that this instance has seen. Thread-safe.
 */
final class JdbcControlStore implements ControlStore {

	private static final String GENERATION = "1";

	private final Transactions transactions;

	private final String prefix;

	private final AtomicLong newest = new AtomicLong();

	JdbcControlStore(Transactions transactions, String prefix) {
		this.transactions = transactions;
		this.prefix = prefix;
	}

	@Override
	public Changes since(Revision known, boolean all) {
		return this.transactions.runDurable((connection, jdbc) -> {
			State state = state(connection, jdbc, known);
			List<String> ended = state.isOver() ? dropEnded(jdbc) : List.of();
			boolean lacking = state.lacks(known);
			boolean isAll = all || known.number() == 0 || lacking;
			Map<String, String> texts = (lacking || (!isAll && known.number() == state.head())) ? Map.of()
					: changed(jdbc, isAll ? 0 : known.number(), isAll);
			String generation = (state.head() > 0) ? GENERATION : Revision.NONE.generation();
			this.newest.accumulateAndGet(state.head(), Math::max);
			return new Changes(new Revision(generation, state.head(), state.newest()), state.now(), lacking, isAll,
					texts, ended);
		});
	}

	private State state(Connection connection, JdbcTemplate jdbc, Revision known) throws SQLException {
		List<String> ids = List.copyOf(known.newest().keySet());
		Array names = connection.createArrayOf("text", ids.toArray());
		Array numbers = connection.createArrayOf("bigint", ids.stream().map(known.newest()::get).toArray());
		Map<String, Long> newest = new HashMap<>();
		List<State> states = jdbc.query(Postgresql.CONTROLS, (row, number) -> {
			String id = row.getString(5);
			if (id != null && row.getLong(6) <= row.getLong(2)) {
				newest.put(id, row.getLong(6));
			}
			return new State(time(row.getLong(1)), row.getLong(2), row.getInt(3) > 0, row.getBoolean(4), newest);
		}, names, numbers, this.prefix, this.prefix, this.prefix, this.prefix);
		return states.get(0);
	}

	/** Drops what has ended, and returns the controls among it. */
	private List<String> dropEnded(JdbcTemplate jdbc) {
		return jdbc
			.query(Postgresql.ENDED_CONTROLS, (row, number) -> row.getString(2).isEmpty() ? "" : row.getString(1),
					this.prefix)
			.stream()
			.filter((id) -> !id.isEmpty())
			.toList();
	}

	private Map<String, String> changed(JdbcTemplate jdbc, long after, boolean all) {
		Map<String, String> changed = new HashMap<>();
		jdbc.query(Postgresql.CHANGED_CONTROLS, (row) -> {
			if (!all || !row.getString(2).isEmpty()) {
				changed.put(row.getString(1), row.getString(2));
			}
		}, this.prefix, after);
		return changed;
	}

	@Override
	public Set<String> put(Map<String, Text> controls) {
		return controls.isEmpty() ? Set.of() : this.transactions.runDurable((connection, jdbc) -> {
			long revision = nextRevision(jdbc, controls.size());
			Set<String> kept = new HashSet<>(jdbc.queryForList(Postgresql.KEPT_CONTROLS, String.class, this.prefix));
			Set<String> refused = new HashSet<>();
			List<Object[]> rows = new ArrayList<>();
			for (Map.Entry<String, Text> control : controls.entrySet()) {
				if (kept.size() >= MOST && !kept.contains(control.getKey())) {
					refused.add(control.getKey());
				}
				else {
					kept.add(control.getKey());
					rows.add(row(control.getKey(), control.getValue(), revision++));
				}
			}
			jdbc.batchUpdate(Postgresql.SET_CONTROL, rows);
			return refused;
		});
	}

	@Override
	public void remove(String id) {
		this.transactions.runDurable((connection, jdbc) -> jdbc.update(Postgresql.SET_CONTROL,
				row(id, new Text("", null), nextRevision(jdbc, 1))));
	}

	/** Reserves revisions for changes, and returns the first. */
	private long nextRevision(JdbcTemplate jdbc, int changes) {
		Long last = jdbc.queryForObject(Postgresql.NEXT_REVISION, Long.class, this.prefix, this.newest.get() + changes,
				changes);
		return ((last != null) ? last : 0) - changes + 1;
	}

	@Override
	public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
		Map<String, Text> all = new HashMap<>();
		controls.forEach((control) -> all.put(control.getKey(), control.getValue()));
		return this.transactions.runDurable((connection, jdbc) -> {
			jdbc.queryForObject(Postgresql.LOCK_REVISION, Long.class, this.prefix);
			if (!state(connection, jdbc, known).lacks(known)) {
				return Restored.NOTHING;
			}
			Restoration restoration = new Restoration(known, kept(jdbc));
			all.forEach(restoration::restore);
			Restored restored = restoration.end(all.keySet());
			jdbc.batchUpdate(Postgresql.SET_CONTROL,
					restoration.changes()
						.entrySet()
						.stream()
						.map((change) -> row(change.getKey(), change.getValue(), known.number()))
						.toList());
			jdbc.update(Postgresql.SET_REVISION, known.number(), this.prefix);
			return restored;
		});
	}

	private Map<String, Restoration.Kept> kept(JdbcTemplate jdbc) {
		Map<String, Restoration.Kept> kept = new HashMap<>();
		jdbc.query(Postgresql.ALL_CONTROLS, (row) -> {
			Long end = row.getObject(4, Long.class);
			kept.put(row.getString(1),
					new Restoration.Kept(new Text(row.getString(2), (end != null) ? time(end) : null), row.getLong(3)));
		}, this.prefix);
		return kept;
	}

	private Object[] row(String id, Text control, long revision) {
		@Nullable Instant until = control.until();
		@Nullable Long end = (until != null) ? ChronoUnit.MICROS.between(Instant.EPOCH, until) : null;
		return new Object[] { this.prefix, id, control.text(), revision, control.text(), end };
	}

	private static Instant time(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	/**
	 * The state of the store.
	 *
	 * @param now the time
	 * @param head the newest revision
	 * @param isMissing whether a known change is missing
	 * @param isOver whether a control has ended
	 * @param newest the newest changes
	 */
	private record State(Instant now, long head, boolean isMissing, boolean isOver, Map<String, Long> newest) {

		boolean lacks(Revision known) {
			return known.number() > 0 && (this.head < known.number() || this.isMissing);
		}

	}

	/**
	 * The changes that write back what an instance knows, by the rules of
	 * {@link Revision}: up to the known revision, it replaces what the store has. Not
	 * thread-safe.
	 */
	private static final class Restoration {

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
			boolean isLost = !control.text().isEmpty()
					&& (found == null || !found.control.text().equals(control.text()));
			if (isLost) {
				this.written++;
				this.changes.put(id, control);
			}
			else if (found != null) {
				this.changes.put(id, found.control);
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

}
