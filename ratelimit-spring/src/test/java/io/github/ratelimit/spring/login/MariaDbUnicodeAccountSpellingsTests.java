package io.github.ratelimit.spring.login;

import org.junit.jupiter.api.Tag;

/**
 * An account in MariaDB with the collation that is the default of its version 11.
 */
@Tag("mariadb")
class MariaDbUnicodeAccountSpellingsTests extends MariaDbAccountSpellingsTests {

	@Override
	String collation() {
		return "utf8mb4_uca1400_ai_ci";
	}

}
