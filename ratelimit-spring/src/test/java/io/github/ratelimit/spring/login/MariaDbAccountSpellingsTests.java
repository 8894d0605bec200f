package io.github.ratelimit.spring.login;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.key.TypedName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
				new SingleConnectionDataSource(server.url(server.createDatabase(collation())), true), ACCOUNT);
	}

	/** Returns the collation of the names. */
	String collation() {
		return "utf8mb4_general_ci";
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
		find();
		assertThat(charactersByWeight("utf8mb4_general_ci").values()).hasSizeGreaterThan(10_000)
			.filteredOn((characters) -> names(characters).size() > 1)
			.isEmpty();
	}

	/** Letters of rare scripts are not compared with the letters that equal them. */
	@ParameterizedTest
	@ValueSource(strings = { "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci", "utf8mb4_uca1400_ai_ci" })
	void sharesTheNameOfAllCharactersThatAreIgnoredOrEqualToOneOfAscii(String collation) {
		find();
		Map<String, Set<String>> characters = charactersByWeight(collation);
		assertThat(characters.get("")).hasSizeGreaterThan(100);
		assertThat(characters).hasSizeGreaterThan(10_000)
			.allSatisfy((weight,
					equal) -> assertThat(
							weight.isEmpty() || equal.iterator().next().compareTo("~") <= 0 ? names(equal) : Set.of())
						.hasSizeLessThan(2));
	}

	private void find() {
		found(IntStream.rangeClosed(1, Character.MAX_VALUE)
			.filter((character) -> !Character.isSurrogate((char) character))
			.mapToObj(Character::toString)
			.toList());
	}

	private Map<String, Set<String>> charactersByWeight(String collation) {
		Map<String, Set<String>> characters = new TreeMap<>();
		this.accounts.template()
			.query("SELECT name, HEX(WEIGHT_STRING(name COLLATE " + collation + ")) FROM names", (row) -> {
				characters.computeIfAbsent(row.getString(2), (any) -> new TreeSet<>()).add(row.getString(1));
			});
		return characters;
	}

	private static Set<String> names(Set<String> characters) {
		return characters.stream().map(TypedName::of).collect(Collectors.toSet());
	}

}
