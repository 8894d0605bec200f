package io.github.ratelimit.autoconfigure.jdbc;

import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.autoconfigure.store.Stores;
import io.github.ratelimit.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * The PostgreSQL of an application, by its own URL or that of the connection details.
 */
final class PostgresqlStore implements SharedStore {

	private static final String POSTGRESQL = "jdbc:postgresql:";

	private static final Evidence NO_URL = Evidence.missing(
			"there is no URL of a PostgreSQL (to share counts there, set 'spring.datasource.url' or 'ratelimit.jdbc.url')");

	private final JdbcProperties properties;

	private final ObjectProvider<JdbcConnectionDetails> details;

	private final @Nullable String application;

	PostgresqlStore(JdbcProperties properties, ObjectProvider<JdbcConnectionDetails> details,
			@Nullable String application) {
		this.properties = properties;
		this.details = details;
		this.application = application;
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
		String url = urlOfDetails();
		return (url != null && url.startsWith(POSTGRESQL))
				? Evidence.found("'ratelimit-jdbc' is on the class path and the application connects to a PostgreSQL")
				: NO_URL;
	}

	@Override
	public Stores stores() {
		return new PostgresqlStores(store(), this.properties.isSchemaInitialized());
	}

	private JdbcRateLimitStore store() {
		String own = this.properties.url();
		String url = (own != null) ? own : urlOfDetails();
		if (url == null || !url.startsWith(POSTGRESQL)) {
			throw new InvalidRateLimitConfigurationException(
					"There is no URL of a PostgreSQL to count in" + ((url != null) ? ", but of another database" : ""),
					"Set 'ratelimit.jdbc.url' to one that begins with '" + POSTGRESQL
							+ "', or 'ratelimit.store' to another store.",
					null);
		}
		JdbcConnectionDetails details = (own != null) ? null : this.details.getIfAvailable();
		return JdbcRateLimitStore.on(url,
				value(this.properties.username(), (details != null) ? details.getUsername() : null),
				value(this.properties.password(), (details != null) ? details.getPassword() : null),
				this.properties.prefix(this.application), this.properties.options());
	}

	private static @Nullable String value(@Nullable String own, @Nullable String other) {
		return (own != null) ? own : other;
	}

	/** Returns null without details, or if they find no database. */
	private @Nullable String urlOfDetails() {
		try {
			JdbcConnectionDetails found = this.details.getIfAvailable();
			return (found != null) ? found.getJdbcUrl() : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}
