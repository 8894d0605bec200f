package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of both managers with a limit of one wrong password, and without pauses.
 */
class LoginTests {

	private static final Authentication ALICE = UsernamePasswordAuthenticationToken.unauthenticated("alice", "guess");

	private final Policies policies = new Policies(
			List.of(new Policy("account", List.of(Limit.parse("1/1h")), List.of("#account"))));

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100);

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());

	private final LoginLimiter logins = new LoginLimiter(
			new LoginPolicies("account", null, this.policies, TestResolvers.create()), this.limiter, this.store, 0);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void givesUpIfOtherChecksLast(boolean reactive) {
		AuthenticationManager limited = limited(reactive, (login) -> {
			assertThatExceptionOfType(CancelledWaitException.class)
				.isThrownBy(() -> limited(reactive, (other) -> other).authenticate(ALICE));
			return login;
		});
		assertThat(limited.authenticate(ALICE)).isEqualTo(ALICE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void endsChecksThatFailUnexpectedly(boolean reactive) {
		AuthenticationManager broken = limited(reactive, (login) -> {
			throw new IllegalStateException("broken");
		});
		assertThatIllegalStateException().isThrownBy(() -> broken.authenticate(ALICE)).withMessage("broken");
		assertThatIllegalStateException().isThrownBy(() -> broken.authenticate(ALICE)).withMessage("broken");
		assertThat(left()).isOne();
	}

	@Test
	void endsChecksThatAreCancelled() {
		Disposable check = new LimitedReactiveAuthenticationManager((login) -> Mono.never(), () -> this.logins)
			.authenticate(ALICE)
			.subscribe();
		check.dispose();
		assertThat(limited(true, (login) -> login).authenticate(ALICE)).isEqualTo(ALICE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void countsNoOtherAuthentication(boolean reactive) {
		AuthenticationManager refusing = refusing(reactive);
		for (int token = 0; token < 3; token++) {
			assertThatExceptionOfType(BadCredentialsException.class)
				.isThrownBy(() -> refusing.authenticate(new TestingAuthenticationToken("alice", "token")));
		}
		assertThat(left()).isOne();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void deniesBeforeThePasswordIsChecked(boolean reactive) {
		AuthenticationManager refusing = refusing(reactive);
		assertThatExceptionOfType(BadCredentialsException.class).isThrownBy(() -> refusing.authenticate(ALICE));
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> limited(reactive, (login) -> login).authenticate(ALICE));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void chargesOtherPoliciesOnceTheyAreReplaced(boolean reactive) {
		Policies next = new Policies(
				List.of(new Policy("next", List.of(Limit.parse("2/1h")), List.of(Policy.EVERYONE))));
		LoginPolicies checked = this.logins.policies().by(null, "next", next);
		checked.check("next");
		next.all().forEach(this.policies::add);
		AuthenticationManager refusing = refusing(reactive);
		assertThatExceptionOfType(BadCredentialsException.class).isThrownBy(() -> refusing.authenticate(ALICE));
		this.logins.replace(checked);
		for (int guess = 0; guess < 2; guess++) {
			assertThatExceptionOfType(BadCredentialsException.class).isThrownBy(() -> refusing.authenticate(ALICE));
		}
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> refusing.authenticate(ALICE));
	}

	private AuthenticationManager refusing(boolean reactive) {
		return limited(reactive, (login) -> {
			throw new BadCredentialsException("wrong");
		});
	}

	/** Returns one of the managers around another. */
	private AuthenticationManager limited(boolean reactive, AuthenticationManager manager) {
		Supplier<LoginLimiter> logins = () -> this.logins;
		return reactive ? (login) -> Objects.requireNonNull(
				new LimitedReactiveAuthenticationManager((any) -> Mono.fromCallable(() -> manager.authenticate(any)),
						logins)
					.authenticate(login)
					.block())
				: new LimitedAuthenticationManager(manager, logins, () -> () -> Caller.NONE);
	}

	private long left() {
		return this.limiter.peek(List.of(new Charge("account", "expression:alice", 0))).limits().get(0).remaining();
	}

}
