package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("postgresql")
class JdbcRateLimitStoreIT {

	private static final PostgresqlProcess SERVER = PostgresqlProcess.shared();

	private final String prefix = "store-" + UUID.randomUUID();

	private final List<JdbcRateLimitStore> stores = new ArrayList<>();

	@AfterEach
	void close() {
		this.stores.forEach(JdbcRateLimitStore::close);
	}

	private JdbcRateLimitStore store(String parameters) {
		JdbcRateLimitStore store = JdbcRateLimitStore.on(SERVER.url() + parameters, PostgresqlProcess.USER, null,
				this.prefix, JdbcStoreContractsIT.PATIENT);
		this.stores.add(store);
		return store;
	}

	private static PermitRequest permit(String limit, String key) {
		return new PermitRequest(new PolicyLimit("p", "p", 0, Limit.parse(limit), 0), key, 1, 0);
	}

	private static StoreRequest acquire(String limit, String... keys) {
		return new StoreRequest(StoreOperation.ACQUIRE,
				List.of(keys).stream().map((key) -> permit(limit, key)).toList());
	}

	/** Three instances, with calls for one and for two counts in both orders. */
	@ParameterizedTest
	@ValueSource(strings = { "", "?options=-c%20default_transaction_isolation=serializable" })
	void instancesAdmitNoMoreTogetherThanALimit(String parameters) {
		List<JdbcRateLimitStore> instances = IntStream.range(0, 3).mapToObj((i) -> store(parameters)).toList();
		String limit = "500/1h";
		List<StoreRequest> requests = List.of(acquire(limit, "a"), acquire(limit, "a", "b"), acquire(limit, "b", "a"));
		List<CompletableFuture<Decision>> decisions = IntStream.range(0, 3_000)
			.mapToObj((i) -> instances.get(i % 3).executeAsync(requests.get(i / 3 % 3)).toCompletableFuture())
			.toList();
		long admitted = decisions.stream().filter((decision) -> decision.join().allowed()).count();
		assertThat(admitted).isEqualTo(500);
	}

	@Test
	void leavesNoSettingWithASession() throws SQLException {
		JdbcStoreOptions options = JdbcStoreOptions.STANDARD;
		Database database = new Database(
				new OwnConnections(SERVER.url(), PostgresqlProcess.USER, null, options.timeout()), 1);
		CountTable table = new CountTable(new Postgresql(options.timeout()), StoreClock.OF_SERVER);
		String settings = database.use((connection) -> {
			table.read(connection, List.of("a"));
			table.lock(connection, List.of("a"), false);
			connection.rollback();
			return value(connection,
					"select concat_ws(' ', current_setting('lock_timeout'), "
							+ "current_setting('statement_timeout'), current_setting('synchronous_commit'), "
							+ "current_setting('idle_in_transaction_session_timeout'))");
		});
		database.close();
		assertThat(settings).isEqualTo("0 0 on 0");
	}

	@Test
	void keepsNoKeyOfACaller() throws SQLException {
		JdbcRateLimitStore store = store("");
		store.execute(acquire("10/1m", "alice@example.com"));
		try (Connection connection = SERVER.connect()) {
			assertThat(value(connection, "select key from ratelimit_count where key like '" + this.prefix + "%'"))
				.startsWith(this.prefix + ":p:")
				.endsWith(":60000000")
				.doesNotContain("alice");
		}
	}

	@Test
	void sweepsWhatHasRunOutAMinuteAgo() throws SQLException {
		JdbcRateLimitStore store = store("");
		store.execute(acquire("10/1m", "a"));
		store.execute(acquire("10/1m", "b"));
		try (Connection connection = SERVER.connect()) {
			connection.createStatement()
				.execute("update ratelimit_count set sweep_at = 1 where key = '" + this.prefix + ":p:"
						+ new CountKeys("").hash("a") + ":60000000'");
			store.sweep();
			assertThat(value(connection, "select count(*) from ratelimit_count where key like '" + this.prefix + "%'"))
				.isEqualTo("1");
		}
	}

	@Test
	void findsWhatHasRunOutWithoutReadingAllCounts() throws SQLException {
		String url = SERVER.createDatabase();
		try (JdbcRateLimitStore store = JdbcRateLimitStore.on(url, PostgresqlProcess.USER, null, this.prefix,
				JdbcStoreOptions.STANDARD);
				Connection connection = DriverManager.getConnection(url, PostgresqlProcess.USER, null)) {
			store.createTables();
			connection.createStatement()
				.execute("insert into ratelimit_count select 'key-' || i, 1, 'writer', '', 9000000000 + i "
						+ "from generate_series(1, 20000) i; "
						+ "insert into ratelimit_detached select gen_random_uuid(), '', 9000000000000000 + i, false, '' "
						+ "from generate_series(1, 20000) i; analyze ratelimit_count, ratelimit_detached");
			assertThat(plan(connection, Postgresql.SWEEP_COUNTS)).contains("Index Cond: (sweep_at <");
			assertThat(plan(connection, Postgresql.SWEEP_DETACHED)).contains("Index Cond: (expires_at <");
		}
	}

	private static String plan(Connection connection, String sql) throws SQLException {
		StringBuilder plan = new StringBuilder();
		try (ResultSet lines = connection.createStatement().executeQuery("explain " + sql.replace("?", "5000"))) {
			while (lines.next()) {
				plan.append(lines.getString(1)).append('\n');
			}
		}
		return plan.toString();
	}

	/** So many calls that they would time out if they waited one after the other. */
	@ParameterizedTest
	@CsvSource({ "1000, false", "100, true" })
	void failsOnlyCallsForALockedCount(int calls, boolean haveOtherCounts) throws SQLException {
		JdbcRateLimitStore store = JdbcRateLimitStore.on(SERVER.url(), PostgresqlProcess.USER, null, this.prefix,
				JdbcStoreOptions.STANDARD.with(4, Duration.ofSeconds(2)));
		this.stores.add(store);
		store.execute(acquire("10/1h", "all"));
		try (Connection other = SERVER.connect()) {
			other.setAutoCommit(false);
			other.createStatement()
				.execute("select from ratelimit_count where key like '" + this.prefix + "%' for update");
			List<CompletableFuture<Decision>> decisions = IntStream.range(0, calls)
				.mapToObj((i) -> haveOtherCounts ? acquire("10/1h", "all", "caller-" + i) : acquire("10/1h", "all"))
				.map((request) -> store.executeAsync(request).toCompletableFuture())
				.toList();
			assertThat(store.execute(acquire("10/1h", "other")).allowed()).isTrue();
			assertThat(decisions).allSatisfy((decision) -> assertThat(decision).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingCause()
				.isInstanceOfSatisfying(RateLimitStoreException.class,
						(failure) -> assertThat(failure.getReply()).isEqualTo("SQLSTATE 55P03")));
			assertThat(store.breakerState()).isEqualTo(BreakerState.CLOSED);
		}
	}

	@Test
	void updatesRowsInTheirPages() throws SQLException {
		JdbcRateLimitStore store = store("");
		try (Connection connection = SERVER.connect()) {
			String hot = "select coalesce(sum(n_tup_hot_upd), 0) || ' ' || coalesce(sum(n_tup_upd), 0) "
					+ "from pg_stat_user_tables where relname = 'ratelimit_count'";
			connection.createStatement()
				.execute("select pg_stat_reset_single_table_counters('ratelimit_count'::regclass)");
			for (int i = 0; i < 500; i++) {
				store.execute(acquire("1000000/1h", "hot-" + i % 10));
			}
			store.close();
			await(() -> Long.parseLong(value(connection, hot).split(" ", -1)[1]) >= 490);
			String[] updates = value(connection, hot).split(" ", -1);
			assertThat(Double.parseDouble(updates[0]) / Double.parseDouble(updates[1])).isGreaterThan(0.9);
		}
	}

	@Test
	void beginsAnewWhereARowIsNoCount() throws SQLException {
		JdbcRateLimitStore store = store("");
		store.execute(acquire("1/1h", "a"));
		try (Connection connection = SERVER.connect()) {
			connection.createStatement()
				.execute("update ratelimit_count set writer = 'of a later version' where key like '" + this.prefix
						+ "%'");
		}
		RateLimitStore other = store("");
		assertThat(other.execute(acquire("1/1h", "a")).allowed()).isTrue();
		assertThat(other.unreadable()).isOne();
		assertThat(other.execute(acquire("1/1h", "a")).allowed()).isFalse();
	}

	@Test
	void neverTakesACountThatBeganAnewForTheOneBefore() throws SQLException {
		AtomicLong clock = new AtomicLong(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
		CountTable table = new CountTable(new Postgresql(Duration.ofSeconds(1)), new StoreClock(clock::get));
		String key = this.prefix + ":key";
		try (Connection connection = SERVER.connect()) {
			connection.setAutoCommit(false);
			charge(table, connection, key, true);
			ReadCounts stale = table.read(connection, List.of(key));
			stale.decide(acquire("10/1h", "a"), List.of(key));
			connection.createStatement().execute("delete from ratelimit_count where key = '" + key + "'");
			connection.commit();
			charge(table, connection, key, true);
			assertThat(table.tryWrite(connection, stale)).isFalse();
		}
	}

	private static void charge(CountTable table, Connection connection, String key, boolean isWritten)
			throws SQLException {
		ReadCounts counts = table.read(connection, List.of(key));
		counts.decide(acquire("10/1h", "a"), List.of(key));
		assertThat(table.tryWrite(connection, counts)).isEqualTo(isWritten);
	}

	@Test
	void holdsNoConnectionWhileItIsStopped() throws SQLException {
		JdbcRateLimitStore store = store("?ApplicationName=" + this.prefix);
		store.execute(acquire("10/1m", "a"));
		store.stop();
		try (Connection connection = SERVER.connect()) {
			await(() -> value(connection,
					"select count(*) from pg_stat_activity where application_name like '" + this.prefix + "%'")
				.equals("0"));
		}
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> store.execute(acquire("10/1m", "a")))
			.satisfies((failure) -> assertThat(failure.getKind()).isEqualTo(Kind.CONNECTION));
		store.start();
		assertThat(store.execute(acquire("10/1m", "a")).limits().get(0).remaining()).isEqualTo(8);
	}

	@Test
	void namesTheDatabaseWithoutCredentials() {
		assertThat(store("?password=secret").description()).startsWith("PostgreSQL at 127.0.0.1:")
			.endsWith("/postgres")
			.doesNotContain("secret");
	}

	private static String value(Connection connection, String sql) throws SQLException {
		try (ResultSet rows = connection.createStatement().executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

	private static void await(Condition condition) {
		org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(10)).until(condition::isTrue);
	}

	private interface Condition {

		boolean isTrue() throws SQLException;

	}

}
