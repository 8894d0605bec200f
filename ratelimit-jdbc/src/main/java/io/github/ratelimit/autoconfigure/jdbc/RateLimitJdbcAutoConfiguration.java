package io.github.ratelimit.autoconfigure.jdbc;

import io.github.ratelimit.autoconfigure.jdbc.PostgresqlStore.Login;
import io.github.ratelimit.autoconfigure.store.SharedStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for stores in the PostgreSQL of
 * {@code spring.datasource} or {@code ratelimit.jdbc}.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(JdbcProperties.class)
@ImportRuntimeHints(JdbcRuntimeHints.class)
public final class RateLimitJdbcAutoConfiguration {

	@Bean("io.github.ratelimit.jdbcStore")
	SharedStore rateLimitJdbcStore(JdbcProperties properties, ObjectProvider<JdbcConnectionDetails> details,
			Environment environment) {
		return new PostgresqlStore(properties, () -> login(details, environment),
				environment.getProperty("spring.application.name"));
	}

	/**
	 * Returns the login of the connection details, or of the properties next to a data
	 * source of the application, for which Spring Boot has no details.
	 */
	private static Login login(ObjectProvider<JdbcConnectionDetails> details, Environment environment) {
		JdbcConnectionDetails found = tryFind(details);
		return (found != null) ? new Login(found.getJdbcUrl(), found.getUsername(), found.getPassword())
				: new Login(environment.getProperty("spring.datasource.url"),
						environment.getProperty("spring.datasource.username"),
						environment.getProperty("spring.datasource.password"));
	}

	/** Returns null without details, or if these find no database. */
	private static @Nullable JdbcConnectionDetails tryFind(ObjectProvider<JdbcConnectionDetails> details) {
		try {
			JdbcConnectionDetails found = details.getIfAvailable();
			return (found != null && found.getJdbcUrl() != null) ? found : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}
