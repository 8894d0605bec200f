package io.github.ratelimit.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.faults.ChaosFaults.Fault;
import io.github.ratelimit.jdbc.PostgresqlProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A PostgreSQL, which commits counts without waiting for the disk.
 */
final class ChaosPostgresql implements ChaosServer {

	/**
	 * The time in which commits reach the disk: three times the default
	 * {@code wal_writer_delay} of 200 ms, and 100 ms for a busy machine.
	 */
	private static final Duration UNWRITTEN = Duration.ofMillis(700);

	/** The longest time after which a count of a second may be swept, in seconds. */
	private static final int SWEPT_AFTER = 130;

	/** A pause between sweeps, and some seconds. */
	private static final Duration SWEEP = Duration.ofSeconds(35);

	private static final String CUT = "select pg_terminate_backend(pid) from pg_stat_activity "
			+ "where backend_type = 'client backend' and pid <> pg_backend_pid()";

	private static final String LOCK_ROW = "select * from ratelimit_count order by random() limit 1 for update";

	private static final String LOCK_TABLE = "lock table ratelimit_count in access exclusive mode";

	private final PostgresqlProcess server = PostgresqlProcess.start();

	@Override
	public List<String> properties() {
		return List.of("ratelimit.store=jdbc", "ratelimit.jdbc.url=" + this.server.url(),
				"ratelimit.jdbc.username=" + PostgresqlProcess.USER);
	}

	@Override
	public List<Fault> faults() {
		return List.of(new Fault("CRASH", (chaos) -> chaos.lose(UNWRITTEN, () -> crash(chaos))),
				new Fault("HANG", this::hang), new Fault("CUT", (chaos) -> chaos.repeat(() -> tried(CUT))),
				new Fault("LOCK_ROW", (chaos) -> lock(chaos, LOCK_ROW)),
				new Fault("LOCK_TABLE", (chaos) -> lock(chaos, LOCK_TABLE)), new Fault("READ_ONLY", this::readOnly));
	}

	private void crash(ChaosFaults chaos) {
		this.server.kill();
		chaos.sleep(0, 2000);
		this.server.restart();
	}

	private void hang(ChaosFaults chaos) {
		this.server.pause();
		chaos.sleep(100, 4000);
		this.server.resume();
	}

	private void lock(ChaosFaults chaos, String sql) {
		try (Connection connection = this.server.connect(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(sql);
			chaos.sleep(100, 4000);
			connection.rollback();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Makes the server as a replica is to its clients. */
	private void readOnly(ChaosFaults chaos) {
		ChaosFaults.retry(
				() -> tried("alter system set default_transaction_read_only = on") && tried("select pg_reload_conf()"));
		chaos.sleep(100, 3000);
		ChaosFaults
			.retry(() -> tried("alter system reset default_transaction_read_only") && tried("select pg_reload_conf()"));
	}

	private boolean tried(String sql) {
		try {
			execute(sql);
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = this.server.connect(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** The timeout by default, and 50 ms. */
	@Override
	public Duration longestCall() {
		return Duration.ofMillis(550);
	}

	/**
	 * Requires that instances sweep counts, which are made older so that all are due.
	 */
	@Override
	public void requireEnds() {
		assertThat(count("true")).isPositive();
		assertThat(count("sweep_at > extract(epoch from clock_timestamp()) + " + SWEPT_AFTER)).isZero();
		assertThat(tried("update ratelimit_count set sweep_at = sweep_at - " + SWEPT_AFTER)).isTrue();
		Timing.until(SWEEP, () -> count("true") == 0);
	}

	private long count(String condition) {
		try (Connection connection = this.server.connect();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select count(*) from ratelimit_count where " + condition)) {
			rows.next();
			return rows.getLong(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.server.close();
	}

}
