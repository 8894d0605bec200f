package io.github.ratelimit.faults;

import org.junit.jupiter.api.Tag;

/**
 * The same chaos on PostgreSQL.
 */
@Tag("postgresql")
class PostgresqlChaosIT extends ChaosContract {

	PostgresqlChaosIT() {
		super("35 PostgreSQL crashes, hangs, cuts connections, keeps locks on rows and the table and rejects writes");
	}

	@Override
	ChaosServer server() {
		return new ChaosPostgresql();
	}

}
