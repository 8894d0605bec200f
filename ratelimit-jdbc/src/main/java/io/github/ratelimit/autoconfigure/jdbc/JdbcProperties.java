package io.github.ratelimit.autoconfigure.jdbc;

import java.time.Duration;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.jdbc.JdbcStoreOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.StringUtils;

/**
 * The {@code ratelimit.jdbc.*} properties.
 *
 * @param url JDBC URL of the PostgreSQL that keeps counts. Default: that of the
 * application.
 * @param username User of that URL. Default: that of the application.
 * @param password Password of the user. Default: that of the application.
 * @param keyPrefix Start of every key. Default: ratelimit and the name of the
 * application.
 * @param poolSize Connections of the store's own, from 1 to 64.
 * @param timeout Longest time to wait for a decision, from 10ms to 1m.
 * @param initializeSchema Whether to create the tables at the start. An embedded database
 * cannot keep counts, so embedded creates none.
 */
@ConfigurationProperties(JdbcProperties.PREFIX)
record JdbcProperties(@Nullable String url, @Nullable String username, @Nullable String password,
		@Nullable String keyPrefix, @DefaultValue("" + JdbcStoreOptions.STANDARD_POOL_SIZE) int poolSize,
		@DefaultValue(JdbcStoreOptions.STANDARD_TIMEOUT_MILLIS + "ms") Duration timeout,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema) {

	static final String PREFIX = "ratelimit.jdbc";

	JdbcProperties {
		url = StringUtils.hasText(url) ? url : null;
	}

	JdbcStoreOptions options() {
		JdbcStoreOptions standard = JdbcStoreOptions.STANDARD;
		PropertyCheck.checked(PREFIX + ".pool-size", this.poolSize,
				() -> standard.with(this.poolSize, standard.timeout()));
		return PropertyCheck.checked(PREFIX + ".timeout", this.timeout,
				() -> standard.with(this.poolSize, this.timeout));
	}

	boolean isSchemaInitialized() {
		return this.initializeSchema == DatabaseInitializationMode.ALWAYS;
	}

	/**
	 * Returns the prefix of keys, so that applications on one database have their own.
	 */
	String prefix(@Nullable String application) {
		String configured = this.keyPrefix;
		if (configured != null) {
			return PropertyCheck.checked(PREFIX + ".key-prefix", configured, () -> valid(configured));
		}
		return SharedStore.keyPrefix(application);
	}

	private static String valid(String prefix) {
		if (!prefix.matches("[\\x21-\\x7e]{1,64}")) {
			throw new IllegalArgumentException("it must be 1 to 64 visible ASCII characters");
		}
		return prefix;
	}

}
