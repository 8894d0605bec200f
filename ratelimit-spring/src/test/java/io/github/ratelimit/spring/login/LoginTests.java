package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.spring.login.LoginPolicies.Names;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
			new LoginPolicies(new Names("account", null, true), this.policies, TestResolvers.create(), TypedName::of),
			this.limiter, this.store, 0);

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
	void endsChecksThatAreCancelledAfterAWhile() {
		try (LoginLimiter patient = new LoginLimiter(this.logins.policies(), this.limiter, this.store, 40)) {
			Disposable check = new LimitedReactiveAuthenticationManager((login) -> Mono.never(), () -> patient)
				.authenticate(ALICE)
				.subscribe();
			check.dispose();
			assertThat(new LimitedReactiveAuthenticationManager(Mono::just, () -> patient).authenticate(ALICE).block())
				.isEqualTo(ALICE);
		}
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
		LoginPolicies checked = this.logins.policies().by(new Names(null, "next", true), next);
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

	/** Sends guesses at one time, and a few when the period is over. */
	@ParameterizedTest
	@CsvSource({ "false, 100000", "true, 10000" })
	void admitsNoMoreGuessesThanTheLimitFromAThousandAddresses(boolean reactive, int most) {
		AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(20_000));
		MemoryRateLimitStore store = new MemoryRateLimitStore(10_000, micros::get);
		Policies policies = new Policies(
				List.of(new Policy("account", List.of(Limit.parse("5/15m")), List.of("#account")),
						new Policy("address", List.of(Limit.parse("50/15m")), List.of("client-ip"))));
		RateLimiter limiter = new RateLimiter(policies, store, List.of());
		try (LoginLimiter logins = new LoginLimiter(new LoginPolicies(new Names("account", "address", true), policies,
				TestResolvers.create(), TypedName::of), limiter, store, 0)) {
			Guesses guesses = new Guesses(reactive, logins);
			assertThat(IntStream.range(0, most).filter((guess) -> guesses.isChecked(guess % 1000))).hasSize(5);
			micros.addAndGet(TimeUnit.MINUTES.toMicros(15));
			assertThat(IntStream.range(0, 1000).filter(guesses::isChecked)).hasSize(5);
			assertThat(guesses.checked).hasValue(10);
		}
		limiter.close();
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

	/** The guesses of one password from several addresses, all of them wrong. */
	private static final class Guesses {

		private final AtomicInteger checked = new AtomicInteger();

		private final boolean reactive;

		private final LoginLimiter logins;

		Guesses(boolean reactive, LoginLimiter logins) {
			this.reactive = reactive;
			this.logins = logins;
		}

		/** Returns whether the password is checked. */
		boolean isChecked(int address) {
			try {
				authenticate(new Address("192.0." + address / 250 + '.' + address % 250));
				throw new AssertionError("logged in");
			}
			catch (BadCredentialsException ex) {
				return true;
			}
			catch (RateLimitExceededException ex) {
				return false;
			}
		}

		private void authenticate(Address caller) {
			if (this.reactive) {
				new LimitedReactiveAuthenticationManager((login) -> Mono.fromCallable(this::refuse), () -> this.logins)
					.authenticate(ALICE)
					.contextWrite((context) -> ReactiveCallerSource.bind(context, caller))
					.block();
			}
			else {
				new LimitedAuthenticationManager((login) -> refuse(), () -> this.logins, () -> () -> caller)
					.authenticate(ALICE);
			}
		}

		private Authentication refuse() {
			this.checked.incrementAndGet();
			throw new BadCredentialsException("wrong");
		}

	}

	/**
	 * A client.
	 *
	 * @param remoteAddress its address
	 */
	private record Address(String remoteAddress) implements Caller {

	}

}
