package io.github.ratelimit.spring.web;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Passwords that are stored as the name of their user, and are all "secret". Counts the
 * checks of each user, and holds those that a test wants to last.
 */
final class CheckedPasswords implements PasswordEncoder {

	/** The encoded password of users that do not exist. */
	static final String ENCODED = "encoded";

	private final Map<String, Integer> checks = new ConcurrentHashMap<>();

	private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

	int checked(String user) {
		return this.checks.getOrDefault(user, 0);
	}

	/** Lets the checks of a user last until the latch is open. */
	CountDownLatch hold(String user) {
		return this.held.computeIfAbsent(user, (any) -> new CountDownLatch(1));
	}

	@Override
	public @Nullable String encode(@Nullable CharSequence password) {
		return ENCODED;
	}

	@Override
	public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
		String user = String.valueOf(encoded);
		this.checks.merge(user, 1, Integer::sum);
		CountDownLatch latch = this.held.get(user);
		try {
			return (latch == null || latch.await(20, TimeUnit.SECONDS))
					&& "secret".contentEquals(String.valueOf(password));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
