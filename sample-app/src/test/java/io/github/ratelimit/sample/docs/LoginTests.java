package io.github.ratelimit.sample.docs;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.sample.docs.recipes.JsonLogin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the configuration of the page on logins.
 */
@Tag("long")
class LoginTests {

	@Test
	void deniesTheSixthWrongPasswordForAnAccountFromWhateverAddress() {
		DocumentedApplication application = application();
		application.run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int guess = 0; guess < 5; guess++) {
				assertThat(call(client, "alice", "guess", "192.0.2." + guess)).hasStatus(401);
			}
			assertThat(call(client, "Alice", "secret", "192.0.2.9")).hasStatus(429)
				.headers()
				.containsHeader(HttpHeaders.RETRY_AFTER);
			assertThat(call(client, "bob", "secret", "192.0.2.9")).hasStatus(404);
			application.advance(Duration.ofMinutes(15));
			assertThat(call(client, "alice", "secret", "192.0.2.9")).hasStatus(404);
		});
	}

	@Test
	void deniesTheFiftyFirstWrongPasswordFromAnAddress() {
		application().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int account = 0; account < 50; account++) {
				assertThat(call(client, "user-" + account, "guess", "192.0.2.1")).hasStatus(401);
			}
			assertThat(call(client, "alice", "secret", "192.0.2.1")).hasStatus(429);
		});
	}

	@Test
	void limitsAnAccountFromEachAddress() {
		application().with("ratelimit.policies.login-account.key=#account + ' ' + #request.address").run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int guess = 0; guess < 5; guess++) {
				assertThat(call(client, "alice", "guess", "192.0.2.1")).hasStatus(401);
			}
			assertThat(call(client, "alice", "secret", "192.0.2.1")).hasStatus(429);
			assertThat(call(client, "alice", "secret", "192.0.2.2")).hasStatus(404);
		});
	}

	@Test
	void sendsABrowserWhoseFormIsDeniedToTheLoginPage() {
		application(LoginResponses.class, Form.class).run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int guess = 0; guess < 5; guess++) {
				assertThat(submit(client, MediaType.TEXT_HTML)).hasRedirectedUrl("/login?error");
			}
			assertThat(submit(client, MediaType.TEXT_HTML)).hasStatus(303).hasRedirectedUrl("/login?denied");
			assertThat(submit(client, MediaType.APPLICATION_JSON)).hasStatus(429);
		});
	}

	private static MvcTestResult submit(MockMvcTester client, MediaType accepted) {
		return client.post()
			.uri("/login")
			.accept(accepted)
			.param("username", "alice")
			.param("password", "guess")
			.exchange();
	}

	@Test
	void logsInByJsonAsOftenAsAPasswordIsRight() {
		jsonLogins().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			MockHttpSession before = new MockHttpSession();
			MvcTestResult first = logIn(client, "ada@acme.example", "secret", "192.0.2.1", before);
			assertThat(first).hasStatusOk();
			assertThat(before.isInvalid()).isTrue();
			MockHttpSession session = (MockHttpSession) Objects.requireNonNull(first.getRequest().getSession(false));
			assertThat(client.get().uri("/api/v1").session(session)).hasStatus(404);
			for (int login = 0; login < 7; login++) {
				MvcTestResult again = logIn(client, "ada@acme.example", "secret", "192.0.2.1", session);
				assertThat(again).hasStatusOk();
				session = (MockHttpSession) Objects.requireNonNull(again.getRequest().getSession(false));
			}
		});
	}

	@Test
	void deniesTheSixthWrongPasswordOfAJsonLogin() {
		DocumentedApplication application = jsonLogins();
		application.run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int guess = 0; guess < 5; guess++) {
				assertThat(logIn(client, "Ada@acme.example", "guess", "192.0.2." + guess, before())).hasStatus(401);
			}
			assertThat(logIn(client, "ada@acme.example", "secret", "192.0.2.9", before())).hasStatus(429)
				.headers()
				.containsHeader(HttpHeaders.RETRY_AFTER);
			assertThat(logIn(client, "bob@acme.example", "secret", "192.0.2.9", before())).hasStatusOk();
			application.advance(Duration.ofMinutes(15));
			assertThat(logIn(client, "ada@acme.example", "secret", "192.0.2.9", before())).hasStatusOk();
			assertThat(logIn(client, null, "secret", "192.0.2.9", before())).hasStatus(401);
		});
	}

	@Test
	void deniesTheFiftyFirstWrongPasswordOfJsonLoginsFromAnAddress() {
		jsonLogins().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int account = 0; account < 50; account++) {
				assertThat(logIn(client, "user-" + account, "guess", "192.0.2.1", before())).hasStatus(401);
			}
			assertThat(logIn(client, "ada@acme.example", "secret", "192.0.2.1", before())).hasStatus(429);
			assertThat(logIn(client, "ada@acme.example", "secret", "192.0.2.2", before())).hasStatusOk();
		});
	}

	private static DocumentedApplication jsonLogins() {
		return DocumentedApplication.of("docs/login.md", "JSON logins", JsonLogin.class);
	}

	private static MockHttpSession before() {
		return new MockHttpSession();
	}

	private static MvcTestResult logIn(MockMvcTester client, @Nullable String email, String password, String address,
			MockHttpSession session) {
		String typed = (email != null) ? '"' + email + '"' : "null";
		return client.post()
			.uri("/login")
			.session(session)
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"email\": " + typed + ", \"password\": \"" + password + "\"}")
			.with((request) -> {
				request.setRemoteAddr(address);
				return request;
			})
			.exchange();
	}

	private static DocumentedApplication application(Class<?>... types) {
		return DocumentedApplication.of("docs/login.md", "Configure it", types);
	}

	private static MvcTestResult call(MockMvcTester client, String user, String password, String address) {
		return client.get()
			.uri("/api/v1")
			.header(HttpHeaders.AUTHORIZATION, "Basic " + HttpHeaders.encodeBasicAuth(user, password, null))
			.with((request) -> {
				request.setRemoteAddr(address);
				return request;
			})
			.exchange();
	}

	/** A login by a form, next to that by HTTP basic. */
	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	static class Form {

		@Bean
		@Order(0)
		SecurityFilterChain form(HttpSecurity http) {
			return http.securityMatcher("/login")
				.formLogin(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

	}

}
