package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.spring.login.LoginPolicies.Names;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests of both managers with a limit of three wrong passwords of an account. */
class LoginResetTests {

	private static final Client FORM = new Client(Map.of());

	private final TestStore store = new TestStore();

	private Names names = new Names("account", "address", true);

	private String key = "#account";

	private EnforcementMode mode = EnforcementMode.ENFORCE;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void resetsTheAccountAndNoAddress(boolean reactive) {
		try (Logins logins = new Logins(reactive)) {
			logins.guess(FORM, 2);
			logins.logIn(FORM);
			assertThat(logins.left("account", "expression:alice")).isEqualTo(3);
			assertThat(logins.left("address", "client-ip:192.0.2.1")).isEqualTo(48);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void asksTheStoreNothingMoreWithoutWrongPasswords(boolean reactive) {
		try (Logins logins = new Logins(reactive)) {
			logins.logIn(FORM);
			assertThat(this.store.requests(StoreOperation.RESET)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void resetsNothingByHttpBasic(boolean reactive) {
		try (Logins logins = new Logins(reactive)) {
			logins.guess(FORM, 2);
			for (String scheme : List.of("basic ", "Basic\t")) {
				logins.logIn(new Client(Map.of("Authorization", scheme + "YWxpY2U6c2VjcmV0")));
				assertThat(logins.left("account", "expression:alice")).isOne();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void resetsNothingIfThePropertySaysSo(boolean reactive) {
		this.names = new Names("account", "address", false);
		try (Logins logins = new Logins(reactive)) {
			logins.guess(FORM, 2);
			logins.logIn(FORM);
			assertThat(logins.left("account", "expression:alice")).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void resetsNoKeyThatOthersShare(boolean reactive) {
		this.key = "client-ip";
		try (Logins logins = new Logins(reactive)) {
			logins.guess(FORM, 2);
			logins.logIn(FORM);
			assertThat(logins.left("account", "client-ip:192.0.2.1")).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void resetsTheAccountInShadow(boolean reactive) {
		this.mode = EnforcementMode.SHADOW;
		try (Logins logins = new Logins(reactive)) {
			logins.guess(FORM, 2);
			logins.logIn(FORM);
			assertThat(this.store.requests(StoreOperation.RESET)).hasSize(1);
		}
	}

	/** A limiter of logins in which alice's password is "secret". */
	private final class Logins implements AutoCloseable {

		private final RateLimiter limiter;

		private final LoginLimiter logins;

		private final boolean reactive;

		Logins(boolean reactive) {
			Policies policies = new Policies(List.of(
					new Policy("account", List.of(Limit.parse("3/1h")), List.of(LoginResetTests.this.key))
						.withMode(LoginResetTests.this.mode, List.of()),
					new Policy("address", List.of(Limit.parse("50/1h")), List.of("client-ip"))));
			this.reactive = reactive;
			this.limiter = new RateLimiter(policies, LoginResetTests.this.store, List.of());
			this.logins = new LoginLimiter(
					new LoginPolicies(LoginResetTests.this.names, policies, TestResolvers.create(), TypedName::of),
					this.limiter, LoginResetTests.this.store);
		}

		void guess(Client client, int times) {
			for (int guess = 0; guess < times; guess++) {
				assertThatExceptionOfType(BadCredentialsException.class)
					.isThrownBy(() -> manager(client).authenticate(password("guess")));
			}
		}

		void logIn(Client client) {
			assertThat(manager(client).authenticate(password("secret")).getName()).isEqualTo("alice");
		}

		long left(String policy, String key) {
			return this.limiter.peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
		}

		private AuthenticationManager manager(Client client) {
			return this.reactive
					? (login) -> Objects.requireNonNull(
							new LimitedReactiveAuthenticationManager((any) -> Mono.fromCallable(() -> check(any)),
									() -> this.logins)
								.authenticate(login)
								.contextWrite((context) -> ReactiveCallerSource.bind(context, client))
								.block())
					: new LimitedAuthenticationManager(Logins::check, () -> this.logins, () -> () -> client);
		}

		private static Authentication password(String password) {
			return UsernamePasswordAuthenticationToken.unauthenticated("alice", password);
		}

		private static Authentication check(Authentication login) {
			if (!"secret".equals(login.getCredentials())) {
				throw new BadCredentialsException("wrong");
			}
			return login;
		}

		@Override
		public void close() {
			this.logins.close();
			this.limiter.close();
		}

	}

	/**
	 * A client.
	 *
	 * @param headers the headers of its request
	 */
	private record Client(Map<String, String> headers) implements Caller {

		@Override
		public String remoteAddress() {
			return "192.0.2.1";
		}

		@Override
		public @Nullable String header(String name) {
			return this.headers.get(name);
		}

	}

}
