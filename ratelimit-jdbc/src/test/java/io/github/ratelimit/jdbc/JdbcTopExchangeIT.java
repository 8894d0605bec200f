package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.spring.top.TopExchangeContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("postgresql")
class JdbcTopExchangeIT extends TopExchangeContract {

	private final JdbcRateLimitStore store = PostgresqlProcess.shared()
		.store("top-" + UUID.randomUUID(), JdbcStoreContractsIT.PATIENT);

	@AfterEach
	void disconnect() {
		this.store.close();
	}

	@Override
	protected TopExchange exchange() {
		return this.store.topExchange();
	}

	@Test
	void writesReportsAgainThatTheServerHasLost() throws SQLException {
		TopExchange one = exchange();
		one.publish(Map.of("api", "of one"));
		try (Connection connection = PostgresqlProcess.shared().connect()) {
			connection.createStatement().execute("truncate ratelimit_top");
		}
		one.publish(Map.of("api", "of one"));
		assertThat(exchange().others("api")).containsExactly("of one");
	}

}
