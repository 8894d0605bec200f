package io.github.ratelimit.autoconfigure.jdbc;

import io.github.ratelimit.autoconfigure.store.SharedStore;

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
		return new PostgresqlStore(properties, details, environment.getProperty("spring.application.name"));
	}

}
