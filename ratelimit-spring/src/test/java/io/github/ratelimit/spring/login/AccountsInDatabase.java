package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.jdbc.JdbcDaoImpl;

/**
 * The tables of Spring Security's users, and a table of names to compare.
 */
final class AccountsInDatabase {

	private static final int BATCH = 5000;

	private final JdbcTemplate database;

	/** Creates the tables, and one user. */
	AccountsInDatabase(DataSource source, String account) {
		this.database = new JdbcTemplate(source);
		this.database.execute("CREATE TABLE users (username VARCHAR(50) PRIMARY KEY, password VARCHAR(50), "
				+ "enabled BOOLEAN NOT NULL)");
		this.database.execute("CREATE TABLE authorities (username VARCHAR(50), authority VARCHAR(50))");
		this.database.execute("CREATE TABLE names (name VARCHAR(50))");
		this.database.update("INSERT INTO users VALUES (?, '{noop}secret', TRUE)", account);
		this.database.update("INSERT INTO authorities VALUES (?, 'ROLE_USER')", account);
	}

	JdbcTemplate template() {
		return this.database;
	}

	/** Returns the names by which the user is found. */
	List<String> found(List<String> names) {
		this.database.update("DELETE FROM names");
		this.database.batchUpdate("INSERT INTO names VALUES (?)", names, BATCH,
				(insert, name) -> insert.setString(1, name));
		return this.database.query("SELECT name FROM names JOIN users ON users.username = names.name",
				(row, number) -> Objects.requireNonNull(row.getString(1)));
	}

	UserDetailsService users() {
		JdbcDaoImpl users = new JdbcDaoImpl();
		users.setJdbcTemplate(this.database);
		return users;
	}

}
