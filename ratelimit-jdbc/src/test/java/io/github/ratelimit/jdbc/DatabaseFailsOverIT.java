package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.BreakerState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of a URL with two servers, one of which takes writes.
 */
@Tag("postgresql")
class DatabaseFailsOverIT {

	private static final PostgresqlProcess ONE = PostgresqlProcess.start();

	private static final PostgresqlProcess OTHER = PostgresqlProcess.start();

	private static final Duration SOON = Duration.ofSeconds(3);

	private final JdbcRateLimitStore store = JdbcRateLimitStore.on(
			"jdbc:postgresql://127.0.0.1:" + ONE.port() + ",127.0.0.1:" + OTHER.port()
					+ "/postgres?targetServerType=primary",
			PostgresqlProcess.USER, null, "test", JdbcStoreOptions.STANDARD);

	@BeforeEach
	void empty() throws SQLException {
		for (PostgresqlProcess server : new PostgresqlProcess[] { ONE, OTHER }) {
			setReadOnly(server, false);
			execute(server, "truncate ratelimit_count");
		}
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	@AfterAll
	static void end() {
		ONE.close();
		OTHER.close();
	}

	@Test
	void countsOnTheServerThatTakesWrites() throws SQLException {
		setReadOnly(ONE, true);
		assertThat(this.store.execute(CallersOfStore.request("a")).allowed()).isTrue();
		assertThat(counts(ONE)).isZero();
		assertThat(counts(OTHER)).isOne();
	}

	@Test
	void followsTheRoleToTheOtherServer() throws SQLException {
		setReadOnly(OTHER, true);
		try (CallersOfStore callers = CallersOfStore.start(this.store, 8)) {
			await().until(() -> callers.admitted() > 500);
			setReadOnly(ONE, true);
			await().atMost(SOON).until(() -> this.store.breakerState() != BreakerState.CLOSED);
			await().pollDelay(SOON).until(() -> true);
			setReadOnly(OTHER, false);
			long before = callers.admitted();
			await().pollInterval(10, TimeUnit.MILLISECONDS)
				.atMost(SOON)
				.until(() -> callers.admitted() > before && this.store.breakerState() == BreakerState.CLOSED);
			assertThat(counts(OTHER)).isPositive();
		}
	}

	/** Makes a server as a replica is to its clients, or ends that. */
	private static void setReadOnly(PostgresqlProcess server, boolean readOnly) throws SQLException {
		execute(server, "alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"));
		execute(server, "select pg_reload_conf()");
		await().until(() -> value(server, "show default_transaction_read_only").equals(readOnly ? "on" : "off"));
	}

	private static void execute(PostgresqlProcess server, String sql) throws SQLException {
		try (Connection connection = server.connect(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static long counts(PostgresqlProcess server) throws SQLException {
		return Long.parseLong(value(server, "select count(*) from ratelimit_count"));
	}

	private static String value(PostgresqlProcess server, String sql) throws SQLException {
		try (Connection connection = server.connect();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

}
