package io.github.ratelimit.jdbc;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that no call waits longer than its timeout, whatever the database does, and that
 * the circuit breaker follows it.
 */
@Tag("postgresql")
class DatabaseFailsIT {

	private static final System.Logger LOGGER = System.getLogger(DatabaseFailsIT.class.getName());

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/** The time that its threads may take on a machine that is not busy. */
	private static final Duration MORE = Duration.ofMillis(50);

	private static final Duration OUTAGE = Duration.ofSeconds(3);

	private static final Duration RECOVERY = Duration.ofSeconds(1);

	private static final int CALLERS = 16;

	private static final PostgresqlProcess SERVER = PostgresqlProcess.start();

	private final JdbcRateLimitStore store = SERVER.store("test", JdbcStoreOptions.STANDARD.with(4, TIMEOUT));

	private final CallersOfStore callers = CallersOfStore.start(this.store, CALLERS);

	@AfterAll
	static void endServer() {
		SERVER.close();
	}

	@AfterEach
	void end() {
		this.callers.close();
		this.store.close();
	}

	@Test
	void callsEndInTimeWhileTheServerHangs() {
		awaitCalls();
		SERVER.pause();
		try {
			assertOpens();
			await().pollDelay(OUTAGE).until(() -> true);
		}
		finally {
			SERVER.resume();
		}
		assertRecovers();
		assertLongest("hang");
		assertThat(this.callers.failures()).containsKey(Kind.TIMEOUT);
	}

	@Test
	void callsEndInTimeWhileTheServerIsDown() {
		awaitCalls();
		SERVER.stop();
		try {
			assertOpens();
			await().pollDelay(OUTAGE).until(() -> true);
		}
		finally {
			SERVER.restart();
		}
		assertRecovers();
		assertLongest("stop");
		assertThat(this.callers.failures()).containsKey(Kind.CONNECTION);
	}

	@Test
	void otherCountsGoOnWhileAnotherSessionHasLockedOne() throws SQLException {
		awaitCalls();
		try (Connection other = SERVER.connect()) {
			other.setAutoCommit(false);
			int locked = other.createStatement()
				.executeUpdate("update ratelimit_count set sweep_at = sweep_at where key = 'test:calls:"
						+ new CountKeys("test").hash(CallersOfStore.HOT) + ":3600000000'");
			assertThat(locked).isOne();
			long before = this.callers.admitted();
			await().pollDelay(OUTAGE).until(() -> true);
			LOGGER.log(Level.INFO, "{0} calls of other keys in {1}", this.callers.admitted() - before, OUTAGE);
			assertThat(this.callers.admitted() - before).isGreaterThan(200);
			assertThat(this.store.breakerState()).isEqualTo(BreakerState.CLOSED);
			other.rollback();
		}
		assertRecovers();
		assertLongest("lock");
		assertThat(this.callers.failures()).containsOnlyKeys(Kind.TIMEOUT);
	}

	@Test
	void callsEndInTimeWhileAllConnectionsWaitForTheTable() throws SQLException {
		JdbcRateLimitStore late = SERVER.store("test", JdbcStoreOptions.STANDARD.with(1, TIMEOUT));
		awaitCalls();
		try (Connection other = SERVER.connect(); CallersOfStore more = CallersOfStore.start(late, CALLERS)) {
			other.setAutoCommit(false);
			other.createStatement().execute("lock table ratelimit_count in access exclusive mode");
			await().pollDelay(OUTAGE).until(() -> true);
			other.rollback();
			await().atMost(RECOVERY.multipliedBy(2)).until(() -> more.admitted() > 0);
			assertLongest("locked table, late", more);
		}
		finally {
			late.close();
		}
		assertRecovers();
		assertLongest("locked table");
	}

	private void awaitCalls() {
		await().until(() -> this.callers.admitted() > 1_000);
		this.callers.longestCall();
		this.callers.lateness();
		this.callers.failures().clear();
	}

	private void assertOpens() {
		await().atMost(TIMEOUT.multipliedBy(2)).until(() -> this.store.breakerState() != BreakerState.CLOSED);
	}

	private void assertRecovers() {
		long begin = System.nanoTime();
		long before = this.callers.admitted();
		await().pollInterval(10, TimeUnit.MILLISECONDS)
			.atMost(RECOVERY)
			.until(() -> this.callers.admitted() > before && this.store.breakerState() == BreakerState.CLOSED);
		LOGGER.log(Level.INFO, "recovered after {0} ms",
				Long.toString(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
	}

	private void assertLongest(String fault) {
		assertLongest(fault, this.callers);
	}

	/**
	 * A machine that wakes one thread late is taken to wake those of a call late twice.
	 */
	private static void assertLongest(String fault, CallersOfStore callers) {
		Duration longest = callers.longestCall();
		Duration lateness = callers.lateness();
		LOGGER.log(Level.INFO, "{0}: longest call {1} ms, lateness {2} ms, failures {3}", fault,
				Long.toString(longest.toMillis()), Long.toString(lateness.toMillis()), callers.failures());
		assertThat(longest).isLessThan(TIMEOUT.plus(MORE).plus(lateness.multipliedBy(2)));
	}

}
