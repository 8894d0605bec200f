package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the lines among which the documentation lets a reader choose.
 */
@Tag("long")
class ChoiceTests {

	private static final String ADDRESS = "192.0.2.1";

	@Test
	void limitsEachAddressOfAnApiExceptAtTwoPaths() {
		run("One API by address, except some paths", (client) -> {
			assertThat(admitted(client, "/quotes", ADDRESS)).isEqualTo(100);
			assertThat(admitted(client, "/search/people", ADDRESS)).isEqualTo(10);
			assertThat(call(client, "/search", ADDRESS, null)).hasStatus(429);
			assertThat(client.get().uri("/health")).hasStatus(404).headers().doesNotContainHeader("RateLimit");
			assertThat(call(client, "/quotes", "192.0.2.2", null)).hasStatus(404);
		});
	}

	@Test
	void showsAPageToBrowsersAlone() {
		DocumentedApplication.of("docs/choose.md", "One API by address, except some paths", HtmlResponses.class)
			.run((context) -> {
				MockMvcTester client = DocumentedApplication.client(context);
				assertThat(admitted(client, "/search", "127.0.0.1")).isEqualTo(10);
				assertThat(accepting(client, "text/html,application/xhtml+xml,*/*;q=0.8")).hasStatus(429)
					.hasContentType(MediaType.TEXT_HTML)
					.bodyText()
					.isEqualTo("<p>Please come back later.</p>");
				assertThat(accepting(client, "*/*")).hasStatus(429).hasContentType(MediaType.APPLICATION_PROBLEM_JSON);
				assertThat(accepting(client, "malformed")).hasStatus(429)
					.hasContentType(MediaType.APPLICATION_PROBLEM_JSON);
			});
	}

	@Test
	void limitsAUserAndAnAddressTogether() {
		run("By user and by address together", (client) -> {
			assertThat(admitted(client, "/quotes", ADDRESS, "alice")).isEqualTo(20);
			assertThat(call(client, "/quotes", "192.0.2.2", "alice")).hasStatus(429);
			assertThat(admitted(client, "/quotes", ADDRESS, "bob")).isEqualTo(20);
			assertThat(admitted(client, "/quotes", ADDRESS)).isEqualTo(10);
		});
	}

	@Test
	void givesPremiumUsersMore() {
		run("Users with plans", (client) -> {
			assertThat(call(client, "/api/v1", ADDRESS, "alice")).headers()
				.hasValue("RateLimit-Policy", "\"api\";q=100;w=60");
			assertThat(call(client, "/api/v1", ADDRESS, "carol")).headers()
				.hasValue("RateLimit-Policy", "\"api\";q=1000;w=60");
		});
	}

	@Test
	void limitsWrongPasswordsOfAnAccountAndFromAnAddress() {
		run("A login", (client) -> {
			assertThat(statuses(client, "/api/v1", ADDRESS, "eve", 6)).containsExactly(401, 401, 401, 401, 401, 429);
			for (int account = 0; account < 45; account++) {
				assertThat(call(client, "/api/v1", ADDRESS, "user-" + account)).hasStatus(401);
			}
			assertThat(call(client, "/api/v1", ADDRESS, "alice")).hasStatus(429);
			assertThat(statuses(client, "/api/v1", "192.0.2.2", "alice", 100)).containsOnly(404);
		});
	}

	/** A client sends headers of its own, of which nginx passes on one. */
	@Test
	void limitsTheClientThatAProxyNames() {
		run("Behind a proxy", (client) -> {
			assertThat(forwarded(client, "10.1.2.3", "X-Forwarded-For", "203.0.113.1, 198.51.100.1", 100))
				.containsOnly(404);
			assertThat(forwarded(client, "10.1.2.3", "X-Forwarded-For", "203.0.113.2, 198.51.100.1", 1))
				.containsOnly(429);
			assertThat(forwarded(client, "10.1.2.3", "X-Forwarded-For", "198.51.100.2", 1)).containsOnly(404);
			assertThat(forwarded(client, "203.0.113.1", "X-Forwarded-For", "198.51.100.1", 1)).containsOnly(404);
		});
	}

	@Test
	void limitsTheClientThatAContentNetworkNames() {
		run("Behind Cloudflare or another CDN", (client) -> {
			assertThat(forwarded(client, "10.1.2.3", "CF-Connecting-IP", "198.51.100.1", 101)).endsWith(404, 429);
			assertThat(forwarded(client, "192.0.2.9", "CF-Connecting-IP", "198.51.100.1", 1)).containsOnly(429);
			assertThat(forwarded(client, "10.1.2.3", "CF-Connecting-IP", "198.51.100.2", 1)).containsOnly(404);
			assertThat(forwarded(client, "203.0.113.1", "CF-Connecting-IP", "198.51.100.1", 1)).containsOnly(404);
		});
	}

	private interface Calls {

		void make(MockMvcTester client);

	}

	private static void run(String heading, Calls calls) {
		DocumentedApplication.of("docs/choose.md", heading)
			.run((context) -> calls.make(DocumentedApplication.client(context)));
	}

	private static long admitted(MockMvcTester client, String path, String address) {
		return admitted(client, path, address, null);
	}

	/** Returns how many calls are admitted before the first one that is denied. */
	private static long admitted(MockMvcTester client, String path, String address, @Nullable String user) {
		return Stream.generate(() -> status(call(client, path, address, user)))
			.takeWhile((status) -> status != 429)
			.count();
	}

	private static List<Integer> statuses(MockMvcTester client, String path, String address, String user, int calls) {
		return Stream.generate(() -> status(call(client, path, address, user))).limit(calls).toList();
	}

	private static List<Integer> forwarded(MockMvcTester client, String proxy, String header, String named, int calls) {
		return Stream.generate(() -> status(client.get().uri("/quotes").header(header, named).with((request) -> {
			request.setRemoteAddr(proxy);
			return request;
		}).exchange())).limit(calls).toList();
	}

	private static MvcTestResult call(MockMvcTester client, String path, String address, @Nullable String user) {
		return client.get().uri(path).with((request) -> {
			request.setRemoteAddr(address);
			if (user != null) {
				request.addHeader(HttpHeaders.AUTHORIZATION, DocumentedApplication.credentials(user));
			}
			return request;
		}).exchange();
	}

	private static MvcTestResult accepting(MockMvcTester client, String types) {
		return client.get().uri("/search").header(HttpHeaders.ACCEPT, types).exchange();
	}

	private static int status(MvcTestResult result) {
		return result.getResponse().getStatus();
	}

}
