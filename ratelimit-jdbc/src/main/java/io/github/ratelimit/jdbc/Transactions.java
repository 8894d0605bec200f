package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.store.shared.PendingRun;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.github.ratelimit.store.shared.RunTimeouts;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Transactions of the store other than its decisions, under the same timeout and circuit
 * breaker. Thread-safe.
 */
final class Transactions {

	private static final int MOST_TRIES = 20;

	/**
	 * The class of SQLSTATEs of transactions that were rolled back, as others went on.
	 */
	private static final String ROLLED_BACK = "40";

	private final Database database;

	private final Postgresql sql;

	private final Outcomes outcomes;

	private final RunTimeouts timeouts;

	Transactions(Database database, Postgresql sql, Outcomes outcomes, RunTimeouts timeouts) {
		this.database = database;
		this.sql = sql;
		this.outcomes = outcomes;
		this.timeouts = timeouts;
	}

	/**
	 * Starts a transaction, which is repeated if it is known to have been rolled back.
	 * @param work the work, which may be done several times
	 * @return its result, or what it has thrown, as a
	 * {@link io.github.ratelimit.store.RateLimitStoreException} if the database failed
	 */
	<T> CompletableFuture<T> start(Work<T> work) {
		return start(this.sql.begin(), work);
	}

	/** Executes a transaction as {@link #start} does, and waits for its result. */
	<T> T run(Work<T> work) {
		return await(start(work));
	}

	/** Executes a transaction whose result survives a crash of the server. */
	<T> T runDurable(Work<T> work) {
		return await(start(this.sql.beginDurable(), work));
	}

	private static <T> T await(CompletableFuture<T> result) {
		try {
			return result.join();
		}
		catch (CompletionException ex) {
			throw SqlFailures.of(ex);
		}
	}

	private <T> CompletableFuture<T> start(String begin, Work<T> work) {
		try {
			PendingTransaction<T> pending = new PendingTransaction<>(this.outcomes.guarded(new AsItIs<>()));
			this.timeouts.add(pending);
			this.database.execute(() -> run(pending, begin, work));
			return pending;
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(SqlFailures.of(ex));
		}
	}

	private <T> void run(PendingTransaction<T> pending, String begin, Work<T> work) {
		try {
			if (!pending.isEnded()) {
				pending.read(this.database.use((connection) -> run(connection, begin, work)));
			}
		}
		catch (SQLException | RuntimeException | Error ex) {
			pending.fail(ex);
		}
	}

	private static <T> T run(Connection connection, String begin, Work<T> work) throws SQLException {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		for (int tries = 1;; tries++) {
			try {
				jdbc.execute(begin);
				T result = work.in(connection, jdbc);
				connection.commit();
				return result;
			}
			catch (SQLException ex) {
				if (tries == MOST_TRIES || !String.valueOf(ex.getSQLState()).startsWith(ROLLED_BACK)) {
					throw ex;
				}
				connection.rollback();
			}
		}
	}

	/** Returns a failure of a transaction that has lost against another one. */
	static SQLException conflict() {
		return new SQLException("Another session has changed the counts", ROLLED_BACK + "001");
	}

	/**
	 * Work in a transaction.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T in(Connection connection, JdbcTemplate jdbc) throws SQLException;

	}

	private static final class PendingTransaction<T> extends PendingRun<T, T> {

		PendingTransaction(ReplyHandler<T, T> handler) {
			super(handler, 0);
		}

	}

	/** A handler that changes nothing but the failures of the database. */
	private static final class AsItIs<T> implements ReplyHandler<T, T> {

		@Override
		public T onReply(T reply) {
			return reply;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			return (failure instanceof RuntimeException other && !(failure instanceof DataAccessException)) ? other
					: SqlFailures.of(failure);
		}

	}

}
