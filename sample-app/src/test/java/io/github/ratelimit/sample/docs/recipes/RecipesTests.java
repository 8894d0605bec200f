package io.github.ratelimit.sample.docs.recipes;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import jakarta.servlet.http.Cookie;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.sample.docs.DocumentedApplication;
import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.UpstreamPausedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.mock.web.MockMultipartFile;
import org.springframework.test.web.client.ExpectedCount;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.anything;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withStatus;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

/**
 * Runs the recipes of the documentation, with the configuration that it shows.
 */
@Tag("long")
class RecipesTests {

	private static final int MEGABYTE = 1024 * 1024;

	@Test
	void refusesTheSixthGuessForAnAccountWithItsRightPasswordToo() {
		DocumentedApplication application = login();
		application.run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int guess = 0; guess < 5; guess++) {
				assertThat(login(client, "Alice", "guess-" + guess, "192.0.2." + guess)).hasStatus(401);
			}
			assertThat(login(client, "alice", "secret", "192.0.2.9")).hasStatus(429)
				.headers()
				.containsHeader("Retry-After");
			assertThat(login(client, "bob", "secret", "192.0.2.9")).hasStatusOk();
			application.advance(Duration.ofMinutes(1));
			assertThat(login(client, "alice", "secret", "192.0.2.9")).hasStatusOk();
		});
	}

	@Test
	void refusesGuessesForManyAccountsFromOneAddressBeforeTheyAreChecked() {
		login().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int account = 0; account < 20; account++) {
				assertThat(login(client, "user-" + account, "guess", "192.0.2.1")).hasStatus(401);
			}
			assertThat(login(client, "alice", "secret", "192.0.2.1")).hasStatus(429);
			assertThat(login(client, "alice", "secret", "192.0.2.2")).hasStatusOk();
		});
	}

	@Test
	void chargesNoRightPassword() {
		login().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int login = 0; login < 30; login++) {
				assertThat(login(client, "alice", "secret", "192.0.2.1")).hasStatusOk();
			}
		});
	}

	@Test
	void chargesNoRightPasswordOfAUserWhoIsLoggedIn() {
		login().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			MvcTestResult first = login(client, "alice", "secret", "192.0.2.1");
			MockHttpSession session = (MockHttpSession) first.getRequest().getSession();
			Cookie device = Objects.requireNonNull(first.getResponse().getCookie("device"));
			for (int login = 0; login < 7; login++) {
				MvcTestResult again = login(client, session, device);
				assertThat(again).hasStatusOk();
				session = (MockHttpSession) Objects.requireNonNull(again.getRequest().getSession());
			}
			assertThat(client.get().uri("/api/v1").session(session)).hasStatus(404);
		});
	}

	private static MvcTestResult login(MockMvcTester client, MockHttpSession session, Cookie device) {
		return client.post()
			.uri("/login")
			.param("name", "alice")
			.param("password", "secret")
			.session(session)
			.cookie(device)
			.exchange();
	}

	/** Sends 600 requests, or as many as {@code -Dtest.logins} says. */
	@Test
	void admitsFewGuessesForEachAccountAndItsUserOnAKnownDevice() {
		int requests = Integer.getInteger("test.logins", 600);
		login().run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			Cookie device = Objects.requireNonNull(
					login(client, "alice", "secret", "198.51.100.1").getMvcResult().getResponse().getCookie("device"));
			Map<String, Integer> guesses = new HashMap<>();
			for (int request = 0; request < requests; request++) {
				String account = (request % 100 == 0) ? "alice" : "user-" + request % 100;
				String address = "10.0." + request % 1000 / 250 + "." + request % 250;
				if (login(client, account, "guess", address).getResponse().getStatus() == 401) {
					guesses.merge(account, 1, Integer::sum);
				}
			}
			assertThat(guesses).hasSize(100).allSatisfy((account, count) -> assertThat(count).isEqualTo(5));
			assertThat(login(client, "alice", "secret", "198.51.100.2")).hasStatus(429);
			assertThat(loginFrom(client, device, "198.51.100.3")).hasStatusOk();
			assertThat(loginFrom(client, new Cookie("device", "forged"), "198.51.100.4")).hasStatus(429);
		});
	}

	@Test
	void givesEachPlanItsLimitAndCountsGuessedKeys() {
		recipe("Per-plan API keys", ApiKeys.class).run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			assertThat(callWithKey(client, "key-of-initech")).headers()
				.hasValue("RateLimit-Policy", "\"api-address\";q=1200;w=60, \"api\";q=1000;w=60");
			RateLimiter limiter = context.getBean(RateLimiter.class);
			limiter.acquire(new Charge("api", "principal:acme", 99));
			assertThat(callWithKey(client, "key-of-acme")).hasStatus(404)
				.headers()
				.hasValue("RateLimit", "\"api-address\";r=48;t=1, \"api\";r=0;t=60");
			assertThat(callWithKey(client, "key-of-acme")).hasStatus(429);
			for (int call = 3; call < 50; call++) {
				assertThat(callWithKey(client, "guess-" + call)).hasStatus(401);
			}
			assertThat(callWithKey(client, "guess")).hasStatus(429);
		});
	}

	@Test
	void callsAPartnerNoMoreOftenThanAgreedAndPausesWhenItAsksForThat() {
		DocumentedApplication application = recipe("A partner's API");
		application.run((context) -> {
			RestClient.Builder builder = RestClient.builder();
			MockRestServiceServer server = MockRestServiceServer.bindTo(builder).build();
			server.expect(ExpectedCount.times(10), anything()).andRespond(withSuccess());
			server.expect(anything()).andRespond(withStatus(HttpStatus.TOO_MANY_REQUESTS).header("Retry-After", "30"));
			PartnerApi partner = new PartnerApi(builder, context.getBean(RateLimitedClients.class));
			for (int call = 0; call < 10; call++) {
				partner.stock("4711");
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> partner.stock("4711"));
			application.advance(Duration.ofMinutes(1));
			assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class)
				.isThrownBy(() -> partner.stock("4711"));
			assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> partner.stock("4711"));
			server.verify();
		});
	}

	@Test
	void queuesCallsOfAPartnerThatIsSlow() {
		recipe("A partner's API").run((context) -> {
			RestClient.Builder builder = RestClient.builder();
			MockRestServiceServer server = MockRestServiceServer.bindTo(builder).build();
			server.expect(anything()).andRespond(withSuccess("3", MediaType.TEXT_PLAIN));
			PartnerApi partner = new PartnerApi(builder, context.getBean(RateLimitedClients.class));
			RateLimiter limiter = context.getBean(RateLimiter.class);
			List<Reservation> inFlight = Stream
				.generate(() -> limiter.reserve(List.of(Charge.of("partner", Policy.EVERYONE))))
				.limit(5)
				.toList();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> partner.stock("4711"));
			CompletableFuture<Void> end = CompletableFuture.runAsync(() -> limiter.release(inFlight.get(0)),
					CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
			assertThat(partner.stock("4711")).isEqualTo("3");
			end.join();
		});
	}

	@Test
	void chargesUploadsByTheirSize() {
		recipe("Uploads by size", Uploads.class).run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			assertThat(upload(client, 10 * MEGABYTE)).hasStatusOk();
			assertThat(upload(client, 10 * MEGABYTE + 1)).hasStatus(422).headers().doesNotContainHeader("Retry-After");
			assertThat(upload(client, 9 * MEGABYTE + 1)).hasStatusOk();
			assertThat(upload(client, 1)).hasStatus(429).headers().hasValue("Retry-After", "36");
		});
	}

	@Test
	void leavesPermitsToUsersWhileAJobRuns() {
		recipe("Background jobs", Catalogue.class).run((context) -> {
			Catalogue catalogue = context.getBean(Catalogue.class);
			for (int article = 0; article < 70; article++) {
				catalogue.index("article-" + article);
			}
			Charge another = Charge.of("catalogue-jobs", Policy.EVERYONE);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(limiter.acquire(another.waitingUpTo(Duration.ZERO)).allowed()).isFalse();
			assertThat(limiter.acquire(another).waitMicros()).isEqualTo(10_000);
			for (int article = 0; article < 29; article++) {
				assertThat(catalogue.find("article-" + article)).startsWith("Found");
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> catalogue.find("one more"));
		});
	}

	@Test
	void givesEachCustomerItsOwnNumber() {
		recipe("A number for each customer", ApiKeys.class, Agreements.class).run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			assertThat(callWithKey(client, "key-of-initech")).headers()
				.hasValue("RateLimit-Policy", "\"contracts\";q=250;w=60");
			assertThat(callWithKey(client, "key-of-acme")).headers()
				.hasValue("RateLimit-Policy", "\"contracts\";q=100;w=60");
		});
	}

	private static DocumentedApplication login() {
		return recipe("Protect a login", AccountLogin.class, KnownDevices.class, TypedAccount.class,
				LoginSecurity.class);
	}

	private static DocumentedApplication recipe(String heading, Class<?>... types) {
		return DocumentedApplication.of("docs/recipes.md", heading, types);
	}

	private static MvcTestResult login(MockMvcTester client, String user, String password, String address) {
		return client.post().uri("/login").param("name", user).param("password", password).with((request) -> {
			request.setRemoteAddr(address);
			return request;
		}).exchange();
	}

	private static MvcTestResult loginFrom(MockMvcTester client, Cookie device, String address) {
		return client.post()
			.uri("/login")
			.param("name", "alice")
			.param("password", "secret")
			.cookie(device)
			.with((request) -> {
				request.setRemoteAddr(address);
				return request;
			})
			.exchange();
	}

	private static MvcTestResult callWithKey(MockMvcTester client, String key) {
		return client.get().uri("/api/v1").header("X-Api-Key", key).exchange();
	}

	private static MvcTestResult upload(MockMvcTester client, int bytes) {
		return client.post()
			.uri("/uploads")
			.multipart()
			.file(new MockMultipartFile("file", new byte[bytes]))
			.header("Authorization", DocumentedApplication.credentials("alice"))
			.exchange();
	}

}
