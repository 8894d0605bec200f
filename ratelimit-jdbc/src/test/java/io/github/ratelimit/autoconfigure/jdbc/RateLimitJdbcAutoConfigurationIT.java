package io.github.ratelimit.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.check.RateLimitCheckAutoConfiguration;
import io.github.ratelimit.autoconfigure.redis.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.jdbc.PostgresqlProcess;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

@Tag("postgresql")
class RateLimitJdbcAutoConfigurationIT {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitCheckAutoConfiguration.class, RateLimitJdbcAutoConfiguration.class,
						RateLimitRedisAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
						RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.api.limits=2/1h", "ratelimit.policies.api.key=global");

	private ApplicationContextRunner on(String url) {
		return this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + url, "spring.datasource.username=" + PostgresqlProcess.USER);
	}

	@Test
	void countsInThePostgresqlOfTheApplication() {
		ApplicationContextRunner instance = on(PostgresqlProcess.shared().createDatabase())
			.withPropertyValues("ratelimit.jdbc.initialize-schema=always");
		instance.run((one) -> instance.run((other) -> {
			assertThat(one.getBean(RateLimitStore.class)).isInstanceOf(JdbcRateLimitStore.class);
			assertThat(one.getBean(RateLimiter.class).acquire(Charge.of("api", "everyone")).allowed()).isTrue();
			assertThat(other.getBean(RateLimiter.class).acquire(Charge.of("api", "everyone")).allowed()).isTrue();
			assertThat(one.getBean(RateLimiter.class).acquire(Charge.of("api", "everyone")).allowed()).isFalse();
		}));
	}

	@Test
	void countsThereNextToADataSourceOfTheApplication() {
		on(PostgresqlProcess.shared().url()).withBean(DataSource.class, DriverManagerDataSource::new)
			.run((context) -> assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(JdbcRateLimitStore.class));
	}

	@Test
	void takesAnEmptyUrlForNone() {
		on(PostgresqlProcess.shared().url()).withPropertyValues("ratelimit.jdbc.url=")
			.run((context) -> assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(JdbcRateLimitStore.class));
	}

	@Test
	void countsInADatabaseOfItsOwn() {
		this.application
			.withPropertyValues("ratelimit.jdbc.url=" + PostgresqlProcess.shared().url(),
					"ratelimit.jdbc.username=" + PostgresqlProcess.USER, "spring.application.name=own-database")
			.run((context) -> assertThat(
					context.getBean(RateLimiter.class).acquire(Charge.of("api", "everyone")).allowed())
				.isTrue());
	}

	@Test
	void doesNotStartWithoutTables() {
		on(PostgresqlProcess.shared().createDatabase()).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(InvalidRateLimitConfigurationException.class)
			.hasMessageStartingWith("Tables are missing in PostgreSQL at 127.0.0.1:")
			.hasMessageEndingWith(
					": ratelimit_count, ratelimit_detached, ratelimit_control, ratelimit_control_head, ratelimit_top"));
	}

	@Test
	void doesNotStartWithoutTablesOfControlsNextToAStoreOfTheApplication() {
		on(PostgresqlProcess.shared().createDatabase()).withPropertyValues("ratelimit.store=jdbc")
			.withBean(RateLimitStore.class, () -> new MemoryRateLimitStore(10))
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("Tables are missing"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit_detached", "ratelimit_control", "ratelimit_control_head", "ratelimit_top" })
	void doesNotStartWithoutOneOfTheTables(String table) throws SQLException {
		String url = PostgresqlProcess.shared().createDatabase();
		on(url).withPropertyValues("ratelimit.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed());
		try (Connection connection = DriverManager.getConnection(url, PostgresqlProcess.USER, null)) {
			connection.createStatement().execute("drop table " + table);
		}
		on(url).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(InvalidRateLimitConfigurationException.class)
			.hasMessageEndingWith(": " + table));
	}

	@Test
	void saysThatNoDriverTakesTheUrlWithoutItsPassword() {
		this.application.withPropertyValues("ratelimit.jdbc.url=jdbc:postgresql://limits:port/limits?password=secret")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("There is no driver for the URL of the PostgreSQL to count in")
				.extracting(Throwables::getStackTrace, STRING)
				.doesNotContain("secret"));
	}

	@Test
	void startsWhileTheDatabaseIsDown() {
		on("jdbc:postgresql://127.0.0.1:1/none").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(RateLimiter.class).acquire(Charge.of("api", "everyone")).allowed()).isTrue();
		});
	}

	@Test
	void countsInMemoryWithoutAPostgresql() {
		this.application.run((context) -> assertThat(context.getBean(RateLimitStore.class))
			.isInstanceOf(MemoryRateLimitStore.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimit.jdbc.pool-size=0     | pool-size' has the value '0'
			ratelimit.jdbc.timeout=5ms     | timeout' has the value 'PT0.005S'
			ratelimit.jdbc.key-prefix=a b  | key-prefix' has the value 'a b'
			ratelimit.jdbc.url=jdbc:h2:mem | no URL of a PostgreSQL to count in, but of another database
			""")
	void namesAMistake(String property, String message) {
		on(PostgresqlProcess.shared().url()).withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

}
