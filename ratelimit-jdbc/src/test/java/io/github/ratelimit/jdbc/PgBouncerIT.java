package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.CallsContract;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlStoreContract;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of two instances that share fewer connections than they open, one transaction
 * after the other.
 */
@Tag("postgresql")
class PgBouncerIT {

	private static final int CONNECTIONS = 3;

	private static final PostgresqlProcess SERVER = PostgresqlProcess.start();

	private static final PgBouncerProcess POOLER = PgBouncerProcess.start(SERVER, CONNECTIONS);

	private static final String PREFIX = "pooled-" + UUID.randomUUID();

	private static final JdbcStoreOptions PATIENT = JdbcStoreOptions.STANDARD.with(4, Duration.ofMinutes(1));

	private static final JdbcRateLimitStore ONE = store(PATIENT);

	private static final JdbcRateLimitStore OTHER = store(PATIENT);

	private static JdbcRateLimitStore store(JdbcStoreOptions options) {
		return JdbcRateLimitStore.on(POOLER.url(), PostgresqlProcess.USER, null, PREFIX, options);
	}

	@AfterAll
	static void end() {
		ONE.close();
		OTHER.close();
		POOLER.close();
		SERVER.close();
	}

	@Test
	void instancesAdmitNoMoreTogetherThanALimit() throws SQLException {
		List<JdbcRateLimitStore> instances = List.of(ONE, OTHER);
		List<StoreRequest> requests = List.of(acquire("a"), acquire("a", "b"), acquire("b", "a"));
		List<CompletableFuture<Decision>> decisions = IntStream.range(0, 2_000)
			.mapToObj((i) -> instances.get(i % 2).executeAsync(requests.get(i / 2 % 3)).toCompletableFuture())
			.toList();
		assertThat(decisions.stream().filter((decision) -> decision.join().allowed())).hasSize(500);
		assertThat(sessions()).isBetween(1L, (long) CONNECTIONS);
	}

	private static StoreRequest acquire(String... keys) {
		PolicyLimit limit = new PolicyLimit("p", "p", 0, Limit.parse("500/1h"), 0);
		return new StoreRequest(StoreOperation.ACQUIRE,
				List.of(keys).stream().map((key) -> new PermitRequest(limit, key, 1, 0)).toList());
	}

	private static long sessions() throws SQLException {
		try (Connection connection = SERVER.connect();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity "
						+ "where backend_type = 'client backend' and pid <> pg_backend_pid()")) {
			rows.next();
			return rows.getLong(1);
		}
	}

	@Test
	void countsAgainSoonAfterARestart() {
		JdbcRateLimitStore store = store(JdbcStoreOptions.STANDARD);
		try (store; CallersOfStore callers = CallersOfStore.start(store, 8)) {
			await().until(() -> callers.admitted() > 500);
			POOLER.stop();
			await().atMost(Duration.ofSeconds(2)).until(() -> store.breakerState() != BreakerState.CLOSED);
			POOLER.restart();
			long before = callers.admitted();
			await().pollInterval(10, TimeUnit.MILLISECONDS)
				.atMost(Duration.ofSeconds(1))
				.until(() -> callers.admitted() > before && store.breakerState() == BreakerState.CLOSED);
		}
		List.of(ONE, OTHER).forEach(PgBouncerIT::reconnect);
	}

	/** Replaces the connections that the restart has ended. */
	private static void reconnect(JdbcRateLimitStore store) {
		store.stop();
		store.start();
	}

	@Nested
	class Calls extends CallsContract {

		private final AtomicLong clock = new AtomicLong();

		private int stores;

		/** Returns either instance in turn, with and without locks. */
		@Override
		protected RateLimitStore store() {
			int number = this.stores++;
			return ((number % 2 == 0) ? ONE : OTHER).at(this.clock::get, PREFIX, number % 4 < 2);
		}

		@Override
		protected void setClock(long micros) {
			this.clock.set(micros);
		}

	}

	@Nested
	class Controls extends ControlStoreContract {

		private final String prefix = "controls-" + UUID.randomUUID();

		private int stores;

		@Override
		protected ControlStore store() {
			return ((this.stores++ % 2 == 0) ? ONE : OTHER).at(System::nanoTime, this.prefix, true).controlStore();
		}

	}

}
