package io.github.ratelimit.jdbc;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.ratelimit.StoreContracts;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * Tests that PostgreSQL keeps all contracts. It decides by a clock of the test.
 */
@Tag("postgresql")
class JdbcStoreContractsIT extends StoreContracts {

	static final JdbcStoreOptions PATIENT = JdbcStoreOptions.STANDARD.with(JdbcStoreOptions.STANDARD_POOL_SIZE,
			Duration.ofSeconds(10));

	private static final JdbcRateLimitStore STORE = PostgresqlProcess.shared().store("contracts", PATIENT);

	@AfterAll
	static void disconnect() {
		STORE.stop();
	}

	@Override
	protected RateLimitStore store(String counts, LongSupplier clock) {
		return STORE.at(clock, counts, true);
	}

}
