package io.github.ratelimit.sample;

import org.jspecify.annotations.Nullable;

import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Passwords as they are, in place of BCrypt: a test that guesses hundreds of them would
 * spend most of its time there. The component scan of the sample finds it.
 */
@Component
public final class PlainPasswords implements PasswordEncoder {

	@Override
	public @Nullable String encode(@Nullable CharSequence password) {
		return (password != null) ? password.toString() : null;
	}

	@Override
	public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
		return password != null && password.toString().equals(encoded);
	}

}
