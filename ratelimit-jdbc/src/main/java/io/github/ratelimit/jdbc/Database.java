package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few connections of the store's own, and as many threads that use them. No other
 * thread waits for the database. A connection is opened when it is needed and none is
 * idle, so that the first call after an outage ends it. Thread-safe.
 */
final class Database implements Executor {

	private static final long IDLE_SECONDS = 10;

	/** The time after which an idle connection may have died. */
	private static final long DOUBTFUL = TimeUnit.SECONDS.toNanos(1);

	private static final int DOUBT_SECONDS = 1;

	/** The time after which a connection is replaced, as its server may have changed. */
	private static final long OLD = TimeUnit.MINUTES.toNanos(30);

	private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

	private final OwnConnections connections;

	private final ThreadPoolExecutor threads;

	private volatile boolean stopped;

	Database(OwnConnections connections, int size) {
		this.connections = connections;
		this.threads = new ThreadPoolExecutor(size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				Database::thread);
		this.threads.allowCoreThreadTimeOut(true);
	}

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(work, "ratelimit-jdbc");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void execute(Runnable work) {
		this.threads.execute(work);
	}

	/**
	 * Does work on a connection, on the calling thread. What it has not committed is
	 * rolled back.
	 */
	<T> T use(Work<T> work) throws SQLException {
		Idle taken = take();
		boolean isUsable = false;
		try {
			T result = work.on(taken.connection);
			isUsable = true;
			return result;
		}
		catch (SQLException | RuntimeException ex) {
			isUsable = !this.stopped && tryRollBack(taken.connection);
			throw ex;
		}
		finally {
			giveBack(taken, isUsable);
		}
	}

	private Idle take() throws SQLException {
		for (Idle known = this.idle.pollFirst(); known != null; known = this.idle.pollFirst()) {
			if (known.isAlive()) {
				return known;
			}
			known.close();
		}
		if (this.stopped) {
			throw new SQLNonTransientConnectionException("The store is stopped", "08003");
		}
		return new Idle(this.connections.getConnection());
	}

	private static boolean tryRollBack(Connection connection) {
		try {
			connection.rollback();
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private void giveBack(Idle taken, boolean isUsable) {
		if (isUsable && !taken.isOld()) {
			taken.since = System.nanoTime();
			this.idle.addFirst(taken);
		}
		if (!isUsable || taken.isOld() || this.stopped) {
			this.idle.remove(taken);
			taken.close();
		}
	}

	/** Closes idle connections, as they may be dead without having been closed. */
	void closeIdle() {
		for (Idle known = this.idle.pollFirst(); known != null; known = this.idle.pollFirst()) {
			known.close();
		}
	}

	void start() {
		this.stopped = false;
	}

	/** Closes all connections, and opens none until the start. */
	void stop() {
		this.stopped = true;
		closeIdle();
	}

	void close() {
		stop();
		this.threads.shutdown();
	}

	/**
	 * Work on a connection. What it does not commit is undone if it throws.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T on(Connection connection) throws SQLException;

	}

	/** A connection that no thread uses. */
	private static final class Idle {

		private final Connection connection;

		private final long created = System.nanoTime();

		private long since = this.created;

		Idle(Connection connection) {
			this.connection = connection;
		}

		boolean isAlive() throws SQLException {
			return System.nanoTime() - this.since < DOUBTFUL || this.connection.isValid(DOUBT_SECONDS);
		}

		boolean isOld() {
			return System.nanoTime() - this.created >= OLD;
		}

		void close() {
			try {
				this.connection.close();
			}
			catch (SQLException ex) {
				// It has ended, in one way or another
			}
		}

	}

}
