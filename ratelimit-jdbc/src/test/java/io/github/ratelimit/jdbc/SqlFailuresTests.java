package io.github.ratelimit.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;

class SqlFailuresTests {

	@ParameterizedTest
	@CsvSource({ "57014, TIMEOUT", "55P03, TIMEOUT", "25P03, TIMEOUT", "25P04, TIMEOUT", "08006, CONNECTION",
			"57P01, CONNECTION", "57P02, CONNECTION", "57P03, LOADING", "25006, READONLY", "53300, BUSY", "53200, OOM",
			"53100, OOM", "28P01, AUTH", "42501, AUTH", "40001, BUSY", "40P01, BUSY", "42P01, OTHER", "22000, OTHER" })
	void classifiesByState(String state, Kind kind) {
		RateLimitStoreException failure = SqlFailures.of(new SQLException("the key 'secret'", state));
		assertThat(failure.getKind()).isEqualTo(kind);
		assertThat(failure.getReply()).isEqualTo("SQLSTATE " + state);
		assertThat(failure.getMessage()).doesNotContain("secret");
	}

	@Test
	void findsTheStateWithinExceptionsOfOthers() {
		SQLException refused = new SQLException("refused", "08001");
		Throwable failure = new CompletionException(new UncategorizedSQLException("task", "sql",
				new SQLTransientConnectionException("no", "08001", refused)));
		assertThat(SqlFailures.of(failure).getKind()).isEqualTo(Kind.CONNECTION);
	}

	@Test
	void takesALateReplyForATimeout() {
		SQLException late = new SQLException("I/O", "08006", new SocketTimeoutException());
		assertThat(SqlFailures.of(late).getKind()).isEqualTo(Kind.TIMEOUT);
	}

	@ParameterizedTest
	@CsvSource({ "55P03, false", "22000, false", "23505, false", "08006, true", "57014, true", "42P01, true",
			"26000, true", "58030, true", "XX001, true" })
	void blamesTheDatabaseForNoLockAndNoCall(String state, boolean isOfDatabase) {
		RateLimitStoreException failure = SqlFailures.of(new SQLException("", state));
		assertThat(SqlFailures.isOfDatabase(failure)).isEqualTo(isOfDatabase);
	}

}
