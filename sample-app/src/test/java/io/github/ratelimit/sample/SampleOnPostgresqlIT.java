package io.github.ratelimit.sample;

import java.util.stream.Stream;

import io.github.ratelimit.jdbc.PostgresqlProcess;
import org.junit.jupiter.api.Tag;

/**
 * Two samples that count in one PostgreSQL.
 */
@Tag("postgresql")
class SampleOnPostgresqlIT extends SharedCountContract {

	private final String url = PostgresqlProcess.shared().createDatabase();

	SampleOnPostgresqlIT() {
		super("jdbc");
	}

	@Override
	Stream<String> arguments() {
		return Stream.of("--spring.profiles.active=postgresql", "--spring.datasource.url=" + this.url,
				"--spring.datasource.username=" + PostgresqlProcess.USER, "--ratelimit.jdbc.timeout=5s");
	}

}
