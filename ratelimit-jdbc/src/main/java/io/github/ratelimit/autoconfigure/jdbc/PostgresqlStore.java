package io.github.ratelimit.autoconfigure.jdbc;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.autoconfigure.store.Stores;
import io.github.ratelimit.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL of {@code ratelimit.jdbc.url}, or else that of the application.
 */
final class PostgresqlStore implements SharedStore {

	private static final String POSTGRESQL = "jdbc:postgresql:";

	private static final String DRIVER = "org.postgresql.Driver";

	private static final Evidence NO_URL = Evidence.missing(
			"there is no URL of a PostgreSQL (to share counts there, set 'spring.datasource.url' or 'ratelimit.jdbc.url')");

	private final JdbcProperties properties;

	private final Supplier<Login> application;

	private final @Nullable String applicationName;

	/**
	 * Creates a kind of store.
	 * @param application returns the login of the application's own database
	 * @param applicationName the name of the application, if it has one
	 */
	PostgresqlStore(JdbcProperties properties, Supplier<Login> application, @Nullable String applicationName) {
		this.properties = properties;
		this.application = application;
		this.applicationName = applicationName;
	}

	@Override
	public String name() {
		return JdbcRateLimitStore.NAME;
	}

	@Override
	public Evidence evidence() {
		if (this.properties.url() != null) {
			return Evidence.found("'ratelimit.jdbc.url' is set");
		}
		return isPostgresql(this.application.get().url())
				? Evidence.found("'ratelimit-jdbc' is on the class path and the application connects to a PostgreSQL")
				: NO_URL;
	}

	@Override
	public Stores stores() {
		return new PostgresqlStores(store(), this.properties.isSchemaInitialized());
	}

	private JdbcRateLimitStore store() {
		Login own = new Login(this.properties.url(), this.properties.username(), this.properties.password());
		Login login = (own.url() != null) ? own : own.or(this.application.get());
		String url = login.url();
		if (url == null || !isPostgresql(url)) {
			throw new InvalidRateLimitConfigurationException(
					"There is no URL of a PostgreSQL to count in" + ((url != null) ? ", but of another database" : ""),
					"Set 'ratelimit.jdbc.url' to one that begins with '" + POSTGRESQL
							+ "', or 'ratelimit.store' to another store.",
					null);
		}
		requireDriver(url);
		return JdbcRateLimitStore.on(url, login.username(), login.password(),
				this.properties.prefix(this.applicationName), this.properties.options());
	}

	/**
	 * Requires a driver, whose absence would look like an outage. Its message is not
	 * passed on, as it quotes the URL with its password.
	 */
	private static void requireDriver(String url) {
		try {
			Class.forName(DRIVER); // as application servers do not register it
			DriverManager.getDriver(url);
		}
		catch (ClassNotFoundException | SQLException ex) {
			throw new InvalidRateLimitConfigurationException(
					"There is no driver for the URL of the PostgreSQL to count in",
					"Add 'org.postgresql:postgresql' to the class path, and check the URL.", null);
		}
	}

	private static boolean isPostgresql(@Nullable String url) {
		return url != null && url.startsWith(POSTGRESQL);
	}

	/**
	 * How to connect to a database.
	 *
	 * @param url the JDBC URL
	 * @param username the user
	 * @param password the password
	 */
	record Login(@Nullable String url, @Nullable String username, @Nullable String password) {

		/** Returns this login, with another one in place of what it lacks. */
		Login or(Login other) {
			return new Login(either(this.url, other.url), either(this.username, other.username),
					either(this.password, other.password));
		}

		private static @Nullable String either(@Nullable String first, @Nullable String second) {
			return (first != null) ? first : second;
		}

	}

}
