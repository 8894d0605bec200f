package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Connections of which each read ends after a timeout, and the login after a few seconds.
 * They commit nothing by themselves. Thread-safe.
 */
final class OwnConnections extends AbstractDriverBasedDataSource {

	private static final String CONNECT_SECONDS = "2";

	private static final String LOGIN_SECONDS = "5";

	private static final int CREATE_MILLIS = 30_000;

	private final int timeoutMillis;

	OwnConnections(String url, @Nullable String username, @Nullable String password, Duration timeout) {
		setUrl(url);
		setUsername(username);
		setPassword(password);
		Properties properties = new Properties();
		properties.setProperty("loginTimeout", LOGIN_SECONDS);
		properties.setProperty("connectTimeout", CONNECT_SECONDS);
		properties.setProperty("tcpKeepAlive", "true");
		properties.setProperty("ApplicationName", "ratelimit");
		setConnectionProperties(properties);
		this.timeoutMillis = (int) timeout.toMillis();
	}

	/** Returns the name of the database, without what a URL may say of credentials. */
	String name() {
		String location = getRequiredUrl().replaceFirst("^jdbc:", "").replaceFirst("[?;].*", "");
		return "PostgreSQL at " + location.replaceFirst("//[^/]*@", "//").replaceFirst("^postgresql:(//)?", "");
	}

	@Override
	protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
		Connection connection = DriverManager.getConnection(getRequiredUrl(), properties);
		try {
			connection.setNetworkTimeout(Runnable::run, this.timeoutMillis);
			connection.setAutoCommit(false);
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	/** Creates the tables that are missing, while other instances that start wait. */
	void createTables() throws SQLException {
		try (Connection connection = getConnection()) {
			connection.setNetworkTimeout(Runnable::run, CREATE_MILLIS);
			try (Statement lock = connection.createStatement()) {
				lock.execute(Postgresql.LOCK_SCHEMA);
			}
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("schema-postgresql.sql", OwnConnections.class));
			connection.commit();
		}
	}

	private String getRequiredUrl() {
		String url = getUrl();
		if (url == null) {
			throw new IllegalStateException("'url' must be set");
		}
		return url;
	}

}
