package io.github.ratelimit.jdbc;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.jdbc.ReadCounts.Row;
import io.github.ratelimit.store.Count;
import org.jspecify.annotations.Nullable;

/**
 * The table of counts. Thread-safe.
 */
final class CountTable {

	private final KnownLimits limits = new KnownLimits();

	private final AtomicLong unreadable = new AtomicLong();

	private final String read;

	private final String lock;

	private final String lockFree;

	private final String insertOne;

	private final String updateOne;

	private final StoreClock clock;

	/**
	 * Creates a table.
	 * @param clock the time to decide by
	 */
	CountTable(Postgresql sql, StoreClock clock) {
		this.read = sql.alone(Postgresql.READ);
		this.lock = sql.begin(Postgresql.LOCK);
		this.lockFree = sql.begin(Postgresql.LOCK_FREE);
		this.insertOne = sql.alone(Postgresql.INSERT_ONE);
		this.updateOne = sql.alone(Postgresql.UPDATE_ONE);
		this.clock = clock;
	}

	/** Returns the number of rows that were no counts. */
	long unreadable() {
		return this.unreadable.get();
	}

	/**
	 * Reads a count and the time, in a transaction that has ended.
	 * @param key the key; {@code null} for the time alone
	 */
	ReadCounts read(Connection connection, @Nullable String key) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.read)) {
			statement.setString(1, key);
			return read(statement);
		}
	}

	/**
	 * Locks counts until the end of the transaction, reads them, and then the time.
	 * @param waits whether to wait for other sessions, or to leave out what they have
	 * locked
	 */
	ReadCounts lock(Connection connection, List<String> keys, boolean waits) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(waits ? this.lock : this.lockFree)) {
			statement.setArray(1, connection.createArrayOf("text", keys.toArray()));
			return read(statement);
		}
	}

	private ReadCounts read(PreparedStatement statement) throws SQLException {
		boolean isResult = statement.execute();
		while (!isResult && statement.getUpdateCount() >= 0) {
			isResult = statement.getMoreResults();
		}
		try (ResultSet rows = Objects.requireNonNull(statement.getResultSet())) {
			rows.next();
			long server = rows.getLong(1);
			ReadCounts counts = new ReadCounts(server, this.clock.time(server));
			Array busy = rows.getArray(6);
			if (busy != null) {
				counts.addBusy((String[]) busy.getArray());
			}
			do {
				String key = rows.getString(2);
				if (key != null) {
					counts.add(new Row(key, rows.getLong(3), count(rows.getString(4), rows.getBytes(5))));
				}
			}
			while (rows.next());
			return counts;
		}
	}

	/** Returns the count in a row, or a new count if the row cannot be read. */
	private Count count(String writer, byte[] state) {
		try {
			long[] numbers = new long[state.length / Long.BYTES];
			ByteBuffer.wrap(state).asLongBuffer().get(numbers);
			return Count.read(this.limits.limit(writer), numbers);
		}
		catch (RuntimeException ex) {
			this.unreadable.incrementAndGet();
			return new Count();
		}
	}

	/**
	 * Writes one count that was read without a lock, unless another session has changed
	 * it meanwhile.
	 * @return whether the count is as decided
	 */
	boolean tryWrite(Connection connection, ReadCounts counts) throws SQLException {
		Row row = counts.changed();
		if (row == null) {
			return true;
		}
		try (PreparedStatement statement = connection.prepareStatement(row.isNew() ? this.insertOne : this.updateOne)) {
			statement.setString(1, writer(row));
			statement.setBytes(2, state(row));
			statement.setLong(3, counts.sweepAt(row));
			statement.setString(4, row.key());
			statement.setLong(5, counts.version(row));
			return changed(statement) == 1;
		}
	}

	/**
	 * Writes locked counts and commits. Writes nothing if another session has created one
	 * of them meanwhile, and leaves the transaction to be rolled back.
	 * @return whether the counts are as decided
	 */
	boolean tryWriteLocked(Connection connection, ReadCounts counts) throws SQLException {
		List<Row> created = counts.changed(true);
		List<Row> updated = counts.changed(false);
		if (!write(connection, Postgresql.INSERT, counts, created)) {
			return false;
		}
		if (updated.isEmpty()) {
			connection.commit();
			return true;
		}
		return write(connection, Postgresql.last(Postgresql.UPDATE), counts, updated);
	}

	/** Returns whether all rows were written. */
	private boolean write(Connection connection, String sql, ReadCounts counts, List<Row> rows) throws SQLException {
		if (rows.isEmpty()) {
			return true;
		}
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setArray(1, connection.createArrayOf("text", rows.stream().map(Row::key).toArray()));
			statement.setArray(2, connection.createArrayOf("bigint", rows.stream().map(counts::version).toArray()));
			statement.setArray(3, connection.createArrayOf("text", rows.stream().map(this::writer).toArray()));
			statement.setArray(4,
					connection.createArrayOf("bytea", rows.stream().map(CountTable::state).toArray(byte[][]::new)));
			statement.setArray(5, connection.createArrayOf("bigint", rows.stream().map(counts::sweepAt).toArray()));
			return changed(statement) == rows.size();
		}
	}

	private static int changed(PreparedStatement statement) throws SQLException {
		statement.execute();
		int changed = 0;
		for (int count = statement.getUpdateCount(); count >= 0; count = statement.getUpdateCount()) {
			changed += count;
			statement.getMoreResults();
		}
		return changed;
	}

	private String writer(Row row) {
		return this.limits.words(Objects.requireNonNull(row.count().writer()));
	}

	private static byte[] state(Row row) {
		long[] numbers = row.count().numbers();
		ByteBuffer state = ByteBuffer.allocate(numbers.length * Long.BYTES);
		state.asLongBuffer().put(numbers);
		return state.array();
	}

}
