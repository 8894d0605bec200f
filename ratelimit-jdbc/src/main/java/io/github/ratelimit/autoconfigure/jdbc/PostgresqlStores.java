package io.github.ratelimit.autoconfigure.jdbc;

import java.sql.SQLException;
import java.util.List;

import io.github.ratelimit.autoconfigure.store.Stores;
import io.github.ratelimit.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The stores in a PostgreSQL, on the same few connections.
 */
final class PostgresqlStores implements Stores {

	private static final String INITIALIZE = "'ratelimit.jdbc.initialize-schema'";

	private final JdbcRateLimitStore store;

	private volatile boolean isCounting;

	/**
	 * Creates stores.
	 * @param store the store, which has not connected
	 * @param initialize whether to create the tables
	 */
	PostgresqlStores(JdbcRateLimitStore store, boolean initialize) {
		this.store = store;
		if (initialize) {
			createTables(store);
		}
	}

	private static void createTables(JdbcRateLimitStore store) {
		try {
			store.createTables();
		}
		catch (SQLException | RuntimeException ex) {
			store.close();
			throw new InvalidRateLimitConfigurationException(
					"The property " + INITIALIZE + " is 'always', and the tables in " + store.description()
							+ " cannot be created",
					"Start the database, let its user create tables, or create them by 'schema-postgresql.sql' and set "
							+ INITIALIZE + " to 'never'.",
					ex);
		}
	}

	@Override
	public String place() {
		return "in " + this.store.description();
	}

	@Override
	public @Nullable String connection() {
		return null;
	}

	@Override
	public RateLimitStore counts() {
		this.isCounting = true;
		return this.store;
	}

	@Override
	public ControlStore controls() {
		return this.store.controlStore();
	}

	@Override
	public TopExchange topExchange() {
		return this.store.topExchange();
	}

	/**
	 * Checks the tables now, when migrations have been made. A database that does not
	 * reply is treated as in an outage.
	 */
	@Override
	public void start(Policies policies, Findings findings) {
		requireTables();
		if (this.isCounting) {
			this.store.countInstancesWhile(policies::haveAutoShares);
			this.store.warmUp();
		}
	}

	private void requireTables() {
		List<String> missing = this.store.missingTables();
		if (!missing.isEmpty()) {
			throw new InvalidRateLimitConfigurationException(
					"Tables are missing in " + this.store.description() + ": " + String.join(", ", missing),
					"Add 'io/github/ratelimit/jdbc/schema-postgresql.sql' to the migrations of the database, or set "
							+ INITIALIZE + " to 'always'.",
					null);
		}
	}

	@Override
	public void close() {
		this.store.close();
	}

}
