package io.github.ratelimit.jdbc;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.CallsContract;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * Calls whose counts are in PostgreSQL, one after the other by a clock of the test, with
 * and without locks in turn.
 */
@Tag("postgresql")
class JdbcCallsIT extends CallsContract {

	private static final JdbcRateLimitStore STORE = PostgresqlProcess.shared()
		.store("calls", JdbcStoreContractsIT.PATIENT);

	private static final String PREFIX = "calls-" + UUID.randomUUID();

	private final AtomicLong clock = new AtomicLong();

	private boolean optimistic;

	@AfterAll
	static void disconnect() {
		STORE.stop();
	}

	@Override
	protected RateLimitStore store() {
		this.optimistic = !this.optimistic;
		return STORE.at(this.clock::get, PREFIX, this.optimistic);
	}

	@Override
	protected void setClock(long micros) {
		this.clock.set(micros);
	}

}
