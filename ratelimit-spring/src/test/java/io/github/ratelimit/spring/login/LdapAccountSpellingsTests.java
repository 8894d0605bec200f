package io.github.ratelimit.spring.login;

import java.util.ArrayList;
import java.util.List;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * An account in a directory, which is searched by its {@code uid}.
 */
@Tag("long")
class LdapAccountSpellingsTests extends AccountSpellingsContract {

	private static final String BASE = "dc=example,dc=org";

	private InMemoryDirectoryServer directory;

	@BeforeEach
	void start() throws LDAPException, LDIFException {
		this.directory = new InMemoryDirectoryServer(new InMemoryDirectoryServerConfig(BASE));
		this.directory.add("dn: " + BASE, "objectClass: domain", "dc: example");
		this.directory.add("dn: uid=" + ACCOUNT + "," + BASE, "objectClass: inetOrgPerson", "uid: " + ACCOUNT,
				"cn: Alice", "sn: Alice");
	}

	@AfterEach
	void stop() {
		this.directory.close();
	}

	@Override
	List<String> found(List<String> names) throws LDAPException {
		List<String> found = new ArrayList<>();
		for (String name : names) {
			if (search(name).getEntryCount() > 0) {
				found.add(name);
			}
		}
		return found;
	}

	/** Upper and lower case, and a third i, which has a dot. */
	@Override
	int least() {
		return 48;
	}

	private SearchResult search(String name) throws LDAPException {
		return this.directory.search(BASE, SearchScope.SUB, Filter.createEqualityFilter("uid", name));
	}

	@Override
	UserDetailsService users() {
		return (name) -> {
			try {
				if (search(name).getEntryCount() > 0) {
					return User.withUsername(name).password("{noop}secret").roles("USER").build();
				}
				throw new UsernameNotFoundException(name);
			}
			catch (LDAPException ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

}
