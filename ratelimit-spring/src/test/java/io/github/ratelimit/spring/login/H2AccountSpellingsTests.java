package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;

import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.security.core.userdetails.UserDetailsService;

/**
 * An account in H2 with a collation that compares letters alone.
 */
@Tag("long")
class H2AccountSpellingsTests extends AccountSpellingsContract {

	private final AccountsInDatabase accounts = new AccountsInDatabase(new DriverManagerDataSource(
			"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;INIT=SET COLLATION ENGLISH STRENGTH PRIMARY"),
			ACCOUNT);

	@Override
	List<String> found(List<String> names) {
		return this.accounts.found(names);
	}

	@Override
	UserDetailsService users() {
		return this.accounts.users();
	}

}
