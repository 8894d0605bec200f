package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;

/**
 * The run of a batch: it reads the counts, decides the requests one after the other, and
 * writes what has changed, all or nothing. Only what is known not to have been written is
 * decided again. Thread-safe.
 */
final class Decider {

	private static final int MOST_TRIES = 20;

	private final Database database;

	private final CountTable table;

	/** Whether a run on one count first tries without a lock. */
	private final boolean optimistic;

	Decider(Database database, CountTable table, boolean optimistic) {
		this.database = database;
		this.table = table;
		this.optimistic = optimistic;
	}

	/**
	 * Completes the requests of a batch, and returns those that were not decided, as
	 * another session has locked one of their counts.
	 */
	List<PendingDecision> run(List<PendingDecision> batch) {
		List<PendingDecision> awaited = batch.stream().filter((request) -> !request.isEnded()).toList();
		if (awaited.isEmpty()) {
			return awaited;
		}
		try {
			Map<PendingDecision, Decision> decided = this.database.use((connection) -> decide(connection, awaited));
			decided.forEach(PendingDecision::read);
			return awaited.stream().filter((request) -> !decided.containsKey(request)).toList();
		}
		catch (SQLException | RuntimeException | Error ex) {
			awaited.forEach((request) -> request.fail(ex));
			return List.of();
		}
	}

	private Map<PendingDecision, Decision> decide(Connection connection, List<PendingDecision> batch)
			throws SQLException {
		List<String> keys = batch.stream().flatMap((request) -> request.keys().stream()).sorted().distinct().toList();
		if (keys.isEmpty() || (this.optimistic && keys.size() == 1)) {
			ReadCounts counts = this.table.read(connection, keys.isEmpty() ? null : keys.get(0));
			Map<PendingDecision, Decision> decided = decide(counts, batch);
			if (this.table.tryWrite(connection, counts)) {
				return decided;
			}
		}
		return decideLocked(connection, batch, keys);
	}

	/**
	 * Decides on locked counts. Only requests for the same counts, or that await the same
	 * ones, wait for other sessions.
	 */
	private Map<PendingDecision, Decision> decideLocked(Connection connection, List<PendingDecision> batch,
			List<String> keys) throws SQLException {
		boolean waits = batch.get(0).isAwaiting() || keys.size() == batch.get(0).keys().size();
		for (int tries = 0; tries < MOST_TRIES; tries++) {
			ReadCounts counts = this.table.lock(connection, keys, waits);
			Map<PendingDecision, Decision> decided = decide(counts, batch);
			if (this.table.tryWriteLocked(connection, counts)) {
				return decided;
			}
			connection.rollback();
		}
		throw new RateLimitStoreException("The database did not decide: too many conflicts", Kind.BUSY, null);
	}

	private static Map<PendingDecision, Decision> decide(ReadCounts counts, List<PendingDecision> batch) {
		Map<PendingDecision, Decision> decided = new LinkedHashMap<>();
		for (PendingDecision request : batch) {
			List<String> locked = counts.lockedByOthers(request.keys());
			if (locked.isEmpty()) {
				decided.put(request, request.decide(counts));
			}
			else {
				request.await(locked);
			}
		}
		return decided;
	}

}
