package io.github.ratelimit.jdbc;

import java.util.function.LongSupplier;

import io.github.ratelimit.StoreContracts;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * Tests the same of a store that always locks its counts, as after a conflict.
 */
@Tag("postgresql")
class LockingStoreContractsIT extends StoreContracts {

	private static final JdbcRateLimitStore STORE = PostgresqlProcess.shared()
		.store("contracts", JdbcStoreContractsIT.PATIENT);

	@AfterAll
	static void disconnect() {
		STORE.stop();
	}

	@Override
	protected RateLimitStore store(String counts, LongSupplier clock) {
		return STORE.at(clock, counts, false);
	}

}
