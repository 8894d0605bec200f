package io.github.ratelimit.spring.login;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Wrong passwords of one account by all names with which what stores the accounts finds
 * it.
 */
abstract class AccountSpellingsContract {

	static final String ACCOUNT = "alice";

	private static final int LIMIT = 5;

	private static final int SPELLINGS = 10_000;

	private final Random random = new Random(1);

	/** Returns the names by which the account is found. */
	abstract List<String> found(List<String> names) throws Exception;

	/** Returns the users, of which one is the account. */
	abstract UserDetailsService users();

	/** Returns how many spellings there are at least, up to 10,000. */
	int least() {
		return SPELLINGS;
	}

	@Test
	void admitsNoMoreWrongPasswordsOfAllSpellingsThanTheLimit() throws Exception {
		Set<String> spellings = spellings();
		assertThat(spellings).hasSizeGreaterThanOrEqualTo(least());
		assertThat(spellings).allSatisfy((spelling) -> assertThat(TypedName.of(spelling)).isEqualTo(ACCOUNT));
		UserDetailsService users = users();
		assertThat(spellings.stream().limit(10).map((spelling) -> users.loadUserByUsername(spelling).getPassword()))
			.containsOnly("{noop}secret");
		DaoAuthenticationProvider passwords = new DaoAuthenticationProvider(users);
		passwords.setPasswordEncoder(PasswordEncoderFactories.createDelegatingPasswordEncoder());
		assertThat(answered(spellings, new ProviderManager(passwords))).isEqualTo(LIMIT);
	}

	/** Returns names whose letters, and what is between them, find the account alone. */
	private Set<String> spellings() throws Exception {
		List<List<String>> letters = new ArrayList<>();
		for (int i = 0; i < ACCOUNT.length(); i++) {
			letters.add(characters(ACCOUNT.substring(0, i), ACCOUNT.substring(i + 1)));
		}
		List<String> between = characters(ACCOUNT.substring(0, 2), ACCOUNT.substring(2));
		Set<String> spellings = new LinkedHashSet<>();
		for (int attempt = 0; attempt < 5 && spellings.size() < SPELLINGS; attempt++) {
			spellings.addAll(found(Stream.generate(() -> spelling(letters, between)).limit(SPELLINGS).toList()));
		}
		return spellings;
	}

	private List<String> characters(String before, String after) throws Exception {
		List<String> names = IntStream.rangeClosed(1, Character.MAX_VALUE)
			.filter((character) -> !Character.isSurrogate((char) character))
			.mapToObj((character) -> before + Character.toString(character) + after)
			.toList();
		return found(names).stream()
			.map((name) -> name.substring(before.length(), name.length() - after.length()))
			.toList();
	}

	private String spelling(List<List<String>> letters, List<String> between) {
		StringBuilder spelling = new StringBuilder();
		for (List<String> letter : letters) {
			if (!between.isEmpty() && this.random.nextInt(3) == 0) {
				spelling.append(between.get(this.random.nextInt(between.size())));
			}
			spelling.append(letter.get(this.random.nextInt(letter.size())));
		}
		return spelling.toString();
	}

	private static int answered(Set<String> spellings, AuthenticationManager manager) {
		Policies policies = new Policies(
				List.of(new Policy("account", List.of(Limit.parse(LIMIT + "/1h")), List.of("#account"))));
		MemoryRateLimitStore store = new MemoryRateLimitStore(2 * SPELLINGS);
		RateLimiter limiter = new RateLimiter(policies, store, List.of());
		LoginPolicies ofLogin = new LoginPolicies(new LoginPolicies.Names("account", null, true), policies,
				TestResolvers.create(), TypedName::of);
		try (LoginLimiter logins = new LoginLimiter(ofLogin, limiter, store)) {
			AuthenticationManager limited = new LimitedAuthenticationManager(manager, () -> logins,
					() -> () -> Caller.NONE);
			return (int) spellings.stream().filter((spelling) -> isAnswered(spelling, limited)).count();
		}
		finally {
			limiter.close();
		}
	}

	private static boolean isAnswered(String spelling, AuthenticationManager limited) {
		try {
			Authentication login = limited
				.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(spelling, "guess"));
			throw new AssertionError(login);
		}
		catch (BadCredentialsException ex) {
			return true;
		}
		catch (RateLimitExceededException ex) {
			return false;
		}
	}

}
