package io.github.ratelimit.spring.login;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.github.ratelimit.key.TypedName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.security.core.userdetails.UserDetailsService;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An account in MariaDB with the collation that Debian's package sets.
 */
@Tag("mariadb")
class MariaDbAccountSpellingsTests extends AccountSpellingsContract {

	private static MariaDbProcess server;

	private AccountsInDatabase accounts;

	@BeforeAll
	static void start() throws IOException {
		server = MariaDbProcess.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void create() {
		this.accounts = new AccountsInDatabase(
				new SingleConnectionDataSource(server.url(server.createDatabase()), true), ACCOUNT);
	}

	@Override
	List<String> found(List<String> names) {
		return this.accounts.found(names);
	}

	@Override
	UserDetailsService users() {
		return this.accounts.users();
	}

	@Test
	void sharesTheNameOfAllCharactersThatAreEqual() {
		found(IntStream.rangeClosed(0, Character.MAX_VALUE)
			.filter((character) -> !Character.isSurrogate((char) character))
			.mapToObj(Character::toString)
			.toList());
		assertThat(namesByWeight("utf8mb4_general_ci").values()).hasSizeGreaterThan(10_000)
			.filteredOn((names) -> names.size() > 1)
			.isEmpty();
	}

	private Map<String, Set<String>> namesByWeight(String collation) {
		Map<String, Set<String>> names = new TreeMap<>();
		this.accounts.template()
			.query("SELECT name, HEX(WEIGHT_STRING(name COLLATE " + collation + ")) FROM names", (row) -> {
				names.computeIfAbsent(row.getString(2), (any) -> new TreeSet<>()).add(TypedName.of(row.getString(1)));
			});
		return names;
	}

}
